package io.bucketwright.runtime.cache;

import io.bucketwright.runtime.connection.Utf8Listener;
import io.fabric8.kubernetes.client.http.WebSocket;
import java.nio.ByteBuffer;

/** Receives the events of a watch over a WebSocket. */
record WebSocketWatch(WatchEvents<?> events, Runnable opened) implements Utf8Listener {

    @Override
    public void onOpen(WebSocket socket) {
        opened.run();
    }

    /** Of other HTTP clients. */
    @Override
    public void onMessage(WebSocket socket, String text) {
        events.received(text);
        socket.request();
    }

    @Override
    public void onMessage(WebSocket socket, ByteBuffer bytes) {
        byte[] event = new byte[bytes.remaining()];
        bytes.get(event);
        events.received(event);
        socket.request();
    }

    @Override
    public void onClose(WebSocket socket, int code, String reason) {
        events.ended().complete(WatchEnd.closed("closed by the server (" + code + ")"));
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
        events.ended().complete(WatchEnd.closed(String.valueOf(error.getMessage())));
    }
}
