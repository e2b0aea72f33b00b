package io.bucketwright.cosi.sidecar.driver;




import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.DriverInfoRequest;
import io.bucketwright.cosi.proto.DriverInfoResponse;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.http.Health;
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
 * The connection to one driver. It follows the channel's own state: whenever the driver comes (back), it is asked who it is
 * before anything else is asked of it, and whoever waited for it is told.
 */
public final class DriverConnection implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(DriverConnection.class);

    /** gRPC would wait up to two minutes between attempts; a socket on the same machine is cheap to try. */
    private static final Duration TRY_AGAIN = Duration.ofSeconds(3);

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
        this.state = new DriverState.Away("no connection was made yet");
    }

    public DriverState state() {
        return state;
    }

    /** Grows each time the driver has come back: another driver may be there now, which knows better. */
    public long connection() {
        return connections.get();
    }

    /** Calls the listener whenever the state changes; it must not block. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    public void start() {
        follow();
        keepTrying();
    }

    public Health health() {
        return switch (state) {
            case DriverState.Fit _ -> Health.well();
            case DriverState.Away(String why) -> Health.unwell(why);
            case DriverState.Unfit(String why) -> Health.unwell(why);
        };
    }

    @Override
    public void close() {
        closed = true;
        channel.shutdownNow();
    }

    private void follow() {
        if (closed) {
            return;
        }
        // true: an idle channel connects again, so that a driver that comes back is noticed without a call.
        ConnectivityState now = channel.getState(true);
        switch (now) {
            case READY -> ask();
            case TRANSIENT_FAILURE -> become(new DriverState.Away("driver " + provisioner + " cannot be reached"));
            case IDLE, CONNECTING, SHUTDOWN -> log.debug("The channel to driver {} is {}", provisioner, now);
        }
        if (now != ConnectivityState.SHUTDOWN) {
            channel.notifyWhenStateChanged(now, this::follow);
        }
    }

    private void keepTrying() {
        if (closed) {
            return;
        }
        if (state instanceof DriverState.Away) {
            channel.resetConnectBackoff();
            if (channel.getState(true) == ConnectivityState.READY) {
                ask();
            }
        }
        time.after(TRY_AGAIN, this::keepTrying);
    }

    private void ask() {
        Thread.ofVirtual().name("driver-info").start(() -> {
            DriverState answer = answer();
            if (!closed) {
                become(answer);
            }
        });
    }

    private DriverState answer() {
        try {
            return judge(calls.info());
        } catch (StatusRuntimeException e) {
            String why = "driver " + provisioner + " does not say who it is: "
                    + e.getStatus().getCode() + " "
                    + DriverErrorText.of(e.getStatus(), DriverInfoRequest.getDefaultInstance());
            return e.getStatus().getCode() == Status.Code.UNIMPLEMENTED
                    ? new DriverState.Unfit(why)
                    : new DriverState.Away(why);
        }
    }

    private DriverState judge(DriverInfoResponse info) {
        String name = info.getDriverName();
        if (!name.equals(provisioner.name()) && !name.equals(provisioner.toString())) {
            return new DriverState.Unfit("at the driver's endpoint is " + DriverErrorText.harmless(name)
                    + ", and this sidecar serves " + provisioner
                    + ": correct the endpoint or the sidecar's provisioner name");
        }
        DataProtocol protocol = info.getSupportedProtocol();
        if (protocol == DataProtocol.PROTOCOL_UNSPECIFIED || protocol == DataProtocol.UNRECOGNIZED) {
            return new DriverState.Unfit("driver " + provisioner + " names no protocol that is known here");
        }
        return new DriverState.Fit(protocol);
    }

    private void become(DriverState next) {
        boolean fit = next instanceof DriverState.Fit;
        boolean same = next.equals(state);
        if (fit) {
            connections.incrementAndGet();
        }
        if (same && !fit) {
            return;
        }
        state = next;
        log.info("Driver {}: {}", provisioner, next);
        listeners.forEach(Runnable::run);
    }
}
