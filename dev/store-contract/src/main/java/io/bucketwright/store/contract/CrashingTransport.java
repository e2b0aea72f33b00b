package io.bucketwright.store.contract;

import io.bucketwright.store.http.Transport;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The transport of a process that crashes: it loses the response to its N-th request, which took effect, and sends no later
 * request. For {@link StoreUnderTest#storeFailingAfter}.
 */
public final class CrashingTransport implements Transport {

    private final Transport transport;
    private final int last;
    private final AtomicInteger sent = new AtomicInteger();

    /**
     * Creates the transport.
     *
     * @param last the number of the request whose response is lost, counted from 1
     */
    public CrashingTransport(Transport transport, int last) {
        this.transport = transport;
        this.last = last;
    }

    @Override
    public HttpResponse<byte[]> send(HttpRequest request, Duration remaining) throws IOException, InterruptedException {
        int number = sent.incrementAndGet();
        if (number > last) {
            throw new IOException("the process has crashed");
        }
        HttpResponse<byte[]> response = transport.send(request, remaining);
        if (number == last) {
            throw new IOException("the response is lost");
        }
        return response;
    }

    @Override
    public void close() {
        transport.close();
    }
}
