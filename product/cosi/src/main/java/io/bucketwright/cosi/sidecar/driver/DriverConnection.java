package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.cosi.wire.UnreleasedProtocol;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.http.Health;
import io.bucketwright.runtime.objects.SafeText;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to one driver. It follows the state of the gRPC channel: after each connect it asks the driver for its
 * name before any other call, which also shows the dialect, and then notifies its listeners.
 */
public final class DriverConnection implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(DriverConnection.class);

    /** gRPC would wait up to two minutes between attempts; connecting to a socket of the same machine is cheap. */
    private static final Duration RECONNECT_INTERVAL = Duration.ofSeconds(3);

    private final ManagedChannel channel;
    private final List<String> names;
    private final List<Driver> dialects;
    private final TimeSource time;
    private final Executor questions;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    /** Grows when the channel is connected or fails: an answer that was requested before says nothing about now. */
    private final AtomicLong channelChanges = new AtomicLong();

    private volatile boolean connected;
    /** The value of {@link #channelChanges} at the connect of the driver that was Ready last. */
    private volatile long connection;

    private volatile DriverState state;
    private volatile Driver current;
    private volatile boolean closed;

    /**
     * Connects at {@link #start}.
     *
     * @param names that the driver may report; the first one is shown in messages
     * @param dialects in which the driver is asked for its name, the preferred one first
     */
    public DriverConnection(ManagedChannel channel, List<String> names, List<Driver> dialects, TimeSource time) {
        this(
                channel,
                names,
                dialects,
                time,
                question -> Thread.ofVirtual().name("driver-info").start(question));
    }

    /** @param questions runs what asks the driver for its name; it must not block the caller */
    DriverConnection(
            ManagedChannel channel, List<String> names, List<Driver> dialects, TimeSource time, Executor questions) {
        this.channel = channel;
        this.names = List.copyOf(names);
        this.dialects = List.copyOf(dialects);
        this.time = time;
        this.questions = questions;
        this.state = new DriverState.Connecting();
        this.current = this.dialects.getFirst();
    }

    /** The driver in the dialect that it last reported its name in. */
    public Driver driver() {
        return current;
    }

    public DriverState state() {
        return state;
    }

    /** The number of the connection. It grows with each connect, because another driver may be there then. */
    public long connection() {
        return connection;
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
        connected = now == ConnectivityState.READY;
        switch (now) {
            case READY -> requestInfo(channelChanges.incrementAndGet());
            case TRANSIENT_FAILURE ->
                update(
                        channelChanges.incrementAndGet(),
                        new DriverState.Unavailable("driver " + name() + " cannot be reached"));
            case IDLE, CONNECTING, SHUTDOWN -> log.debug("The channel to driver {} is {}", name(), now);
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
            ConnectivityState now = channel.getState(true);
            // If the connect was not reported yet, the report is followed by a request of its own.
            if (connected && now == ConnectivityState.READY) {
                requestInfo(channelChanges.get());
            }
        }
        time.after(RECONNECT_INTERVAL, this::reconnect);
    }

    private void requestInfo(long at) {
        questions.execute(() -> {
            DriverState next = readInfo();
            if (!closed) {
                update(at, next);
            }
        });
    }

    /** The first dialect that the driver serves is used until the next connect. */
    private DriverState readInfo() {
        try {
            for (Driver dialect : dialects) {
                Optional<DriverInfo> info = ask(dialect);
                if (info.isPresent()) {
                    return check(dialect, info.get());
                }
            }
            return new DriverState.Incompatible("driver " + name() + " "
                    + (UnreleasedProtocol.isSpoken(channel)
                            ? UnreleasedProtocol.PROBLEM
                            : "serves none of the gRPC packages "
                                    + dialects.stream().map(Driver::dialect).collect(Collectors.joining(", "))));
        } catch (StatusRuntimeException e) {
            return new DriverState.Unavailable("driver " + name() + " does not answer the call that asks for its name: "
                    + e.getStatus().getCode() + " " + message(e.getStatus()));
        }
    }

    /** Empty if the driver does not serve the dialect. */
    private Optional<DriverInfo> ask(Driver dialect) {
        try {
            return Optional.of(dialect.info());
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() != Status.Code.UNIMPLEMENTED) {
                throw e;
            }
            log.debug("Driver {} does not serve {}", name(), dialect.dialect(), e);
            return Optional.empty();
        }
    }

    private DriverState check(Driver dialect, DriverInfo info) {
        if (names.stream().noneMatch(info.name()::equalsIgnoreCase)) {
            return new DriverState.Incompatible("the driver at the endpoint is " + SafeText.quoted(info.name())
                    + ", but this sidecar serves " + name()
                    + ": correct the endpoint or the sidecar's provisioner name");
        }
        return info.protocols().isEmpty()
                ? new DriverState.Incompatible("driver " + name() + " reports no known protocol")
                : new DriverState.Ready(dialect.dialect(), dialect.issuesIds(), info.protocols());
    }

    private static String message(Status status) {
        String description = status.getDescription();
        return description == null || description.isBlank() ? "no message" : SafeText.line(description);
    }

    private String name() {
        return names.getFirst();
    }

    private void update(long at, DriverState next) {
        if (replace(at, next)) {
            log.info("Driver {}: {}", name(), next);
            listeners.forEach(Runnable::run);
        }
    }

    /**
     * Whether there was something to replace. A driver that is Ready after another connect counts; one that was asked twice
     * on the same connection does not, because calls that require a change would be repeated without one.
     */
    private synchronized boolean replace(long at, DriverState next) {
        boolean late = at != channelChanges.get();
        boolean known = next.equals(state) && (at == connection || !(next instanceof DriverState.Ready));
        if (late || known) {
            return false;
        }
        if (next instanceof DriverState.Ready ready) {
            connection = at;
            current = dialects.stream()
                    .filter(driver -> driver.dialect().equals(ready.dialect()))
                    .findFirst()
                    .orElseThrow();
        }
        state = next;
        return true;
    }
}
