package io.bucketwright.runtime.cache;

import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Receives the events of a watch over a plain response, one in each line. */
final class HttpWatch implements AsyncBody.Consumer<List<ByteBuffer>> {

    private final WatchEvents<?> events;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    HttpWatch(WatchEvents<?> events) {
        this.events = events;
    }

    @Override
    public void consume(List<ByteBuffer> parts, AsyncBody body) {
        for (ByteBuffer part : parts) {
            while (part.hasRemaining()) {
                byte next = part.get();
                if (next != '\n') {
                    line.write(next);
                } else if (line.size() > 0) {
                    events.received(line.toByteArray());
                    line.reset();
                }
            }
        }
        body.consume();
    }

    /** Begins to receive, until the response ends. */
    void start(AsyncBody body) {
        CompletableFuture<Void> _ = body.done()
                .whenComplete((_, failure) -> events.ended()
                        .complete(WatchEnd.closed(
                                failure == null ? "closed by the server" : String.valueOf(failure.getMessage()))));
        body.consume();
    }
}
