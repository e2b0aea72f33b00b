package io.bucketwright.runtime.keepalive;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a response, and ends it with an error if it stops in the middle: the timeout of a request ends with the
 * headers of its response.
 */
final class MonitoredBody<T> implements BodySubscriber<T>, ConnectionMonitor.Receiver {

    private final BodySubscriber<T> body;
    private final Duration silenceAllowed;
    private final ConnectionMonitor monitor;
    private final Runnable received;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile Flow.@Nullable Subscription subscription;
    private volatile long lastNanos;

    MonitoredBody(BodySubscriber<T> body, Duration silenceAllowed, ConnectionMonitor monitor, Runnable received) {
        this.body = body;
        this.silenceAllowed = silenceAllowed;
        this.monitor = monitor;
        this.received = received;
        this.lastNanos = monitor.nanos();
    }

    @Override
    public boolean check(long nowNanos) {
        Flow.Subscription open = subscription;
        if (open != null && !ended.get() && ConnectionMonitor.isLonger(lastNanos, nowNanos, silenceAllowed)) {
            open.cancel();
            onError(new IOException("The response stopped in the middle: nothing was received for " + silenceAllowed));
        }
        return !ended.get();
    }

    @Override
    public CompletionStage<T> getBody() {
        return body.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription open) {
        subscription = open;
        monitor.add(this);
        body.onSubscribe(open);
    }

    @Override
    public void onNext(List<ByteBuffer> part) {
        lastNanos = monitor.nanos();
        received.run();
        body.onNext(part);
    }

    @Override
    public void onError(Throwable error) {
        if (end()) {
            body.onError(error);
        }
    }

    @Override
    public void onComplete() {
        if (end()) {
            body.onComplete();
        }
    }

    private boolean end() {
        monitor.remove(this);
        return ended.compareAndSet(false, true);
    }
}
