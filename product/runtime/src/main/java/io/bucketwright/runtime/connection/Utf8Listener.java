package io.bucketwright.runtime.connection;

import io.fabric8.kubernetes.client.http.WebSocket;

/** A listener that receives text messages as bytes in UTF-8, like binary ones: a parser of JSON needs no characters. */
public interface Utf8Listener extends WebSocket.Listener {}
