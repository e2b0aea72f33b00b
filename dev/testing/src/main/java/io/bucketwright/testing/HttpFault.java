package io.bucketwright.testing;

import java.util.concurrent.CountDownLatch;

/** What {@link FaultProxy} does to a request. */
public sealed interface HttpFault {

    /**
     * The server does not receive the request; the client receives this status.
     *
     * @param retryAfter the header Retry-After; empty for none
     */
    record Status(int code, String retryAfter) implements HttpFault {}

    /** The server executes the request; the connection ends in the middle of the response. */
    record Cut() implements HttpFault {}

    /** The server receives the request after the latch, also if the client does not wait for it any more. */
    record Held(CountDownLatch until) implements HttpFault {}

    /** The server executes the request; the response is late. */
    record Late(long millis) implements HttpFault {}
}
