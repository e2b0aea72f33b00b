package io.bucketwright.runtime.connection;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Reads a response in a thread of its own and passes each part on when the consumer requests it. */
final class StreamedBody implements AsyncBody {

    private static final int PART = 16 * 1024;

    private final RequestSender sender;
    private final EncodedRequest request;
    private final AsyncBody.Consumer<List<ByteBuffer>> consumer;
    private final Semaphore demand = new Semaphore(0);
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private volatile @Nullable HttpConnection connection;

    StreamedBody(RequestSender sender, EncodedRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        this.sender = sender;
        this.request = request;
        this.consumer = consumer;
    }

    /** Sends the request and reads the response. */
    void run(HttpRequest original, ReadTimeout timeout, CompletableFuture<HttpResponse<AsyncBody>> response) {
        RequestSender.Exchange exchange;
        try {
            exchange = sender.open(request, timeout, this::opened);
        } catch (Throwable e) {
            // Also an Error: whoever waits for the response must learn of it.
            response.completeExceptionally(e);
            return;
        }
        try {
            if (response.complete(new BlockingResponse<>(original, exchange.head(), this))) {
                read(exchange);
            }
            // First the connection: who waits for the end may send the next request on it.
            exchange.end(sender.pool());
            done.complete(null);
        } catch (InterruptedException e) {
            exchange.connection().close();
            done.cancel(false);
        } catch (Throwable e) {
            // The consumer may throw anything.
            exchange.connection().close();
            done.completeExceptionally(e);
        }
    }

    private void read(RequestSender.Exchange exchange) throws Exception {
        Duration silence = sender.silenceAllowed(request.uri());
        exchange.connection().timeout(ReadTimeout.silence(silence));
        Runnable received = sender.received(request);
        byte[] part = new byte[PART];
        while (true) {
            demand.acquire();
            if (done.isDone()) {
                return;
            }
            int count;
            try {
                count = exchange.body().read(part);
            } catch (SocketTimeoutException e) {
                throw new IOException("The response stopped in the middle: nothing was received for " + silence, e);
            }
            if (count < 0) {
                return;
            }
            received.run();
            consumer.consume(List.of(ByteBuffer.wrap(Arrays.copyOf(part, count))), this);
        }
    }

    private void opened(HttpConnection used) {
        connection = used;
        if (done.isDone()) {
            used.close();
        }
    }

    @Override
    public void consume() {
        demand.release();
    }

    @Override
    public CompletableFuture<Void> done() {
        return done;
    }

    @Override
    public void cancel() {
        if (done.cancel(false)) {
            HttpConnection used = connection;
            if (used != null) {
                used.close();
            }
            demand.release();
        }
    }
}
