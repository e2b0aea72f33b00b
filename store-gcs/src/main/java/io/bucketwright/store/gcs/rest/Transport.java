package io.bucketwright.store.gcs.rest;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Sends HTTP requests. Tests replace it to lose responses. */
public interface Transport extends AutoCloseable {

    /**
     * Sends a request.
     *
     * @param remaining the time limit of the call; the request may have a shorter one
     */
    HttpResponse<byte[]> send(HttpRequest request, Duration remaining) throws IOException, InterruptedException;

    @Override
    void close();
}
