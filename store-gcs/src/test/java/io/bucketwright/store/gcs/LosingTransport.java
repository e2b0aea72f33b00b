package io.bucketwright.store.gcs;

import io.bucketwright.store.http.Transport;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Loses the response to the N-th request, which took effect, and sends no later request. */
final class LosingTransport implements Transport {

    private final Transport transport;
    private final int last;
    private final AtomicInteger sent = new AtomicInteger();

    LosingTransport(Transport transport, int last) {
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
