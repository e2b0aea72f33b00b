package io.bucketwright.store.azure;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Sends one HTTP request. Does not retry: retries with back-off belong to the caller's work queue. */
interface AzureTransport extends AutoCloseable {

    /**
     * Sends a request and reads the whole response.
     *
     * @param timeout the limit of both together
     * @throws IOException if there is no response in time
     * @throws InterruptedException if the thread is interrupted; the request is cancelled
     */
    HttpResponse<byte[]> send(HttpRequest request, Duration timeout) throws IOException, InterruptedException;

    @Override
    default void close() {}
}
