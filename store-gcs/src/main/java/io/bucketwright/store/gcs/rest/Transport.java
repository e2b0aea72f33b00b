package io.bucketwright.store.gcs.rest;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Sends HTTP requests. Tests replace it to lose responses. */
public interface Transport extends AutoCloseable {

    HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException;

    @Override
    void close();
}
