package io.bucketwright.runtime.keepalive;

import java.io.IOException;
import java.net.URI;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Pings the WebSocket of a watch, and ends it with an error once the API server is silent for too long. */
final class PingedWatch implements WebSocket.Listener, ConnectionMonitor.Receiver {

    private final WatchId id;
    private final WebSocket.Listener listener;
    private final ConnectionMonitor monitor;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable WebSocket socket;
    private volatile long lastNanos;

    PingedWatch(URI address, WebSocket.Listener listener, ConnectionMonitor monitor) {
        this.id = WatchId.of(address);
        this.listener = listener;
        this.monitor = monitor;
    }

    @Override
    public boolean check(long nowNanos) {
        WebSocket open = socket;
        if (open == null || ended.get() || open.isOutputClosed() || open.isInputClosed()) {
            return false;
        }
        Duration silence = monitor.keepalive().silence();
        if (ConnectionMonitor.isLonger(lastNanos, nowNanos, silence)) {
            open.abort();
            onError(open, new IOException("The API server was silent for " + silence + " and did not answer a ping"));
            return false;
        }
        // A ping that is still on its way fails this one, which is no loss.
        open.sendPing(ByteBuffer.allocate(0)).exceptionally(_ -> open);
        return true;
    }

    @Override
    public void onOpen(WebSocket opened) {
        socket = opened;
        received();
        monitor.add(this);
        listener.onOpen(opened);
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        received();
        return listener.onText(from, data, last);
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
        received();
        return listener.onBinary(from, data, last);
    }

    @Override
    public @Nullable CompletionStage<?> onPing(WebSocket from, ByteBuffer message) {
        received();
        return listener.onPing(from, message);
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
        received();
        return listener.onPong(from, message);
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        received();
        return end() ? listener.onClose(from, code, reason) : null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        if (end()) {
            listener.onError(from, error);
        }
    }

    private void received() {
        lastNanos = monitor.nanos();
        monitor.activity().received(id, monitor.keepalive().reportAfter());
    }

    private boolean end() {
        monitor.remove(this);
        return ended.compareAndSet(false, true);
    }
}
