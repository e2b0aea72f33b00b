package io.bucketwright.runtime.connection;

import io.bucketwright.runtime.connection.WebSocketFrames.Message;
import io.bucketwright.runtime.keepalive.ConnectionMonitor;
import io.bucketwright.runtime.keepalive.TrackedWatch;
import io.fabric8.kubernetes.client.http.WebSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The WebSocket of a watch. It is pinged, and ends with an error once the API server is silent for too long. */
final class WatchSocket implements WebSocket, ConnectionMonitor.Receiver {

    /** How long the server has for its part of the farewell. */
    private static final Duration FAREWELL = Duration.ofMinutes(1);

    private static final int NORMAL = 1000;
    private static final int NO_CODE = 1005;
    private static final int ABORTED = 1006;

    private final TrackedWatch tracked;
    private final HttpConnection connection;
    private final WebSocketFrames frames;
    private final Listener listener;
    private final ConnectionMonitor monitor;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicBoolean outputClosed = new AtomicBoolean();

    /** Opening it requests the first message. */
    private final Semaphore demand = new Semaphore(1);

    private volatile boolean reading;
    private volatile long lastNanos;

    WatchSocket(
            TrackedWatch tracked,
            HttpConnection connection,
            WebSocketFrames frames,
            Listener listener,
            ConnectionMonitor monitor) {
        this.tracked = tracked;
        this.connection = connection;
        this.frames = frames;
        this.listener = listener;
        this.monitor = monitor;
    }

    void open() {
        connection.timeout(ReadTimeout.none());
        connection.onRead(this::received);
        received();
        monitor.add(this);
        listener.onOpen(this);
    }

    /** Reads until it ends. */
    void read() {
        try {
            while (!ended.get()) {
                reading = true;
                Message message = frames.read();
                reading = false;
                receive(message);
            }
        } catch (InterruptedException e) {
            fail(new IOException("Interrupted while a message was delivered", e));
        } catch (Throwable e) {
            // Also an Error of the listener: whoever waits for the end of the watch must learn of it.
            fail(e);
        }
    }

    private void receive(Message message) throws IOException, InterruptedException {
        switch (message) {
            case Message.Data(ByteBuffer bytes) -> {
                if (awaitDemand()) {
                    listener.onMessage(this, bytes);
                }
            }
            case Message.Ping(ByteBuffer payload) -> {
                if (!outputClosed.get()) {
                    frames.write(WebSocketFrames.PONG, bytes(payload));
                }
            }
            case Message.Pong() -> {}
            case Message.Close(int code, String reason) -> {
                sendClose(code == NO_CODE ? NORMAL : code, reason);
                if (end()) {
                    listener.onClose(this, code, reason);
                }
            }
        }
    }

    private boolean awaitDemand() throws InterruptedException {
        demand.acquire();
        return !outputClosed.get() && !ended.get();
    }

    @Override
    public boolean check(long nowNanos) {
        if (ended.get()) {
            return false;
        }
        if (outputClosed.get()) {
            if (ConnectionMonitor.isLonger(lastNanos, nowNanos, FAREWELL) && end()) {
                listener.onClose(this, ABORTED, "The server did not close the watch");
            }
            return !ended.get();
        }
        Duration silence = monitor.keepalive().silence();
        if (reading && ConnectionMonitor.isLonger(lastNanos, nowNanos, silence)) {
            fail(new IOException("The API server was silent for " + silence + " and did not answer a ping"));
            return false;
        }
        try {
            frames.write(WebSocketFrames.PING, new byte[0]);
        } catch (IOException e) {
            fail(e);
        }
        return !ended.get();
    }

    private void received() {
        lastNanos = monitor.nanos();
        tracked.received(monitor.keepalive().reportAfter());
    }

    private void fail(Throwable error) {
        if (end()) {
            listener.onError(this, error);
        }
    }

    private boolean end() {
        boolean first = ended.compareAndSet(false, true);
        if (first) {
            outputClosed.set(true);
            monitor.remove(this);
            connection.close();
            demand.release();
        }
        return first;
    }

    @Override
    public boolean send(ByteBuffer buffer) {
        return !outputClosed.get() && written(WebSocketFrames.BINARY, bytes(buffer));
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    @Override
    public boolean sendClose(int code, @Nullable String reason) {
        if (!outputClosed.compareAndSet(false, true)) {
            return false;
        }
        // The server's farewell has to be read, whether or not messages are requested.
        demand.release();
        return written(WebSocketFrames.CLOSE, WebSocketFrames.closing(code, reason == null ? "Closing" : reason));
    }

    private boolean written(int opcode, byte[] payload) {
        try {
            frames.write(opcode, payload);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public long queueSize() {
        return 0;
    }

    @Override
    public void request() {
        demand.release();
    }
}
