package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.DriverInfoRequest;
import io.bucketwright.cosi.proto.DriverInfoResponse;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.http.Health;
import io.bucketwright.runtime.objects.SafeText;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to one driver. It follows the state of the gRPC channel: after each connect it calls DriverInfo before
 * any other call, and then notifies its listeners.
 */
public final class DriverConnection implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(DriverConnection.class);

    /** gRPC would wait up to two minutes between attempts; connecting to a socket of the same machine is cheap. */
    private static final Duration RECONNECT_INTERVAL = Duration.ofSeconds(3);

    private final ManagedChannel channel;
    private final Provisioner provisioner;
    private final DriverCalls calls;
    private final TimeSource time;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final AtomicLong connections = new AtomicLong();
    private volatile DriverState state;
    private volatile boolean closed;

    public DriverConnection(ManagedChannel channel, Provisioner provisioner, DriverCalls calls, TimeSource time) {
        this.channel = channel;
        this.provisioner = provisioner;
        this.calls = calls;
        this.time = time;
        this.state = new DriverState.Connecting();
    }

    public DriverState state() {
        return state;
    }

    /** The number of the connection. It grows with each connect, because another driver may be there then. */
    public long connection() {
        return connections.get();
    }

    /** Calls the listener whenever the state changes; it must not block. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    public void start() {
        followChannel();
        reconnect();
    }

    public Health health() {
        return switch (state) {
            case DriverState.Ready _ -> Health.healthy();
            case DriverState.Connecting() -> Health.unhealthy("not connected yet");
            case DriverState.Unavailable(String message) -> Health.unhealthy(message);
            case DriverState.Incompatible(String message) -> Health.unhealthy(message);
        };
    }

    @Override
    public void close() {
        closed = true;
        channel.shutdownNow();
    }

    private void followChannel() {
        if (closed) {
            return;
        }
        // true: an idle channel reconnects, so that a restarted driver is noticed without a call.
        ConnectivityState now = channel.getState(true);
        switch (now) {
            case READY -> requestInfo();
            case TRANSIENT_FAILURE ->
                update(new DriverState.Unavailable("driver " + provisioner + " cannot be reached"));
            case IDLE, CONNECTING, SHUTDOWN -> log.debug("The channel to driver {} is {}", provisioner, now);
        }
        if (now != ConnectivityState.SHUTDOWN) {
            channel.notifyWhenStateChanged(now, this::followChannel);
        }
    }

    private void reconnect() {
        if (closed) {
            return;
        }
        // An incompatible driver may be replaced or reconfigured behind the same connection.
        if (!(state instanceof DriverState.Ready)) {
            channel.resetConnectBackoff();
            if (channel.getState(true) == ConnectivityState.READY) {
                requestInfo();
            }
        }
        time.after(RECONNECT_INTERVAL, this::reconnect);
    }

    private void requestInfo() {
        Thread.ofVirtual().name("driver-info").start(() -> {
            DriverState next = readInfo();
            if (!closed) {
                update(next);
            }
        });
    }

    private DriverState readInfo() {
        try {
            return check(calls.info());
        } catch (StatusRuntimeException e) {
            String message = "driver " + provisioner + " does not answer DriverInfo: "
                    + e.getStatus().getCode() + " "
                    + DriverErrors.message(e.getStatus(), DriverInfoRequest.getDefaultInstance());
            return e.getStatus().getCode() == Status.Code.UNIMPLEMENTED
                    ? new DriverState.Incompatible(message)
                    : new DriverState.Unavailable(message);
        }
    }

    private DriverState check(DriverInfoResponse info) {
        String name = info.getDriverName();
        if (!name.equals(provisioner.name()) && !name.equals(provisioner.toString())) {
            return new DriverState.Incompatible("the driver at the endpoint is " + SafeText.quoted(name)
                    + ", but this sidecar serves " + provisioner
                    + ": correct the endpoint or the sidecar's provisioner name");
        }
        DataProtocol protocol = info.getSupportedProtocol();
        if (protocol == DataProtocol.PROTOCOL_UNSPECIFIED || protocol == DataProtocol.UNRECOGNIZED) {
            return new DriverState.Incompatible("driver " + provisioner + " reports no known protocol");
        }
        return new DriverState.Ready(protocol);
    }

    private void update(DriverState next) {
        boolean ready = next instanceof DriverState.Ready;
        boolean same = next.equals(state);
        if (ready) {
            connections.incrementAndGet();
        }
        if (same && !ready) {
            return;
        }
        state = next;
        log.info("Driver {}: {}", provisioner, next);
        listeners.forEach(Runnable::run);
    }
}
