package io.bucketwright.store.http;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Sends one HTTP request. Does not retry: retries with back-off belong to the caller's work queue. */
public interface Transport extends AutoCloseable {

    /**
     * Sends a request and reads the whole response.
     *
     * @param remaining the time limit of the call; the request may have a shorter one
     * @throws IOException if there is no response in time
     * @throws InterruptedException if the thread is interrupted; the request is cancelled
     */
    HttpResponse<byte[]> send(HttpRequest request, Duration remaining) throws IOException, InterruptedException;

    @Override
    default void close() {}
}
