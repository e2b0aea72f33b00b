package io.bucketwright.cosi.sidecar.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.runtime.ManualTime;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The channel changes its state, and the driver answers, when the test says so. */
class DriverConnectionTest {

    private static final String NAME = "driver.test";
    private static final Duration RECONNECT = Duration.ofSeconds(3);

    private final ManualTime time = new ManualTime();
    private final ManualChannel channel = new ManualChannel();
    private final AskedDriver driver = new AskedDriver();
    private final Queue<Runnable> questions = new ArrayDeque<>();
    private final AtomicInteger changes = new AtomicInteger();
    private final DriverConnection connection =
            new DriverConnection(channel, List.of(NAME), List.of(driver), time, questions::add);

    @BeforeEach
    void listen() {
        connection.onChange(changes::incrementAndGet);
    }

    @AfterEach
    void close() {
        connection.close();
    }

    /** The state is read before the channel has reported it. */
    @Test
    void aConnectDuringTheStartIsOneConnection() {
        channel.connectsAtReset = true;
        connection.start();
        answerAll();
        channel.report();
        answerAll();

        assertThat(connection.state()).isInstanceOf(DriverState.Ready.class);
        assertThat(connection.connection()).isEqualTo(1);
        assertThat(changes).hasValue(1);
    }

    @Test
    void aDriverThatAnswersSlowlyIsAskedAgainOnOneConnection() {
        connection.start();
        channel.become(ConnectivityState.READY);
        time.advance(RECONNECT);
        assertThat(questions).hasSize(2);
        answerAll();

        assertThat(connection.connection()).isEqualTo(1);
        assertThat(changes).hasValue(1);
    }

    @Test
    void eachConnectIsAnotherConnection() {
        connection.start();
        Set<Long> connections = new HashSet<>();
        for (int connect = 1; connect <= 3; connect++) {
            channel.become(ConnectivityState.READY);
            answerAll();
            assertThat(connections.add(connection.connection())).as("another").isTrue();
            assertThat(changes).hasValue(connect);
            channel.become(ConnectivityState.IDLE);
        }
    }

    @Test
    void theAnswerOfALostConnectionIsDropped() {
        connection.start();
        channel.become(ConnectivityState.READY);
        channel.become(ConnectivityState.TRANSIENT_FAILURE);
        answerAll();
        assertThat(connection.state()).isInstanceOf(DriverState.Unavailable.class);

        channel.become(ConnectivityState.READY);
        answerAll();
        assertThat(connection.state()).isInstanceOf(DriverState.Ready.class);
    }

    @Test
    void anIncompatibleDriverIsAskedAgainUntilItIsReplaced() {
        driver.name = "another";
        connection.start();
        channel.become(ConnectivityState.READY);
        answerAll();
        time.advance(RECONNECT);
        answerAll();
        assertThat(connection.state()).isInstanceOf(DriverState.Incompatible.class);
        assertThat(changes).hasValue(1);

        driver.name = NAME;
        time.advance(RECONNECT);
        answerAll();
        assertThat(connection.state()).isInstanceOf(DriverState.Ready.class);
        assertThat(changes).hasValue(2);
        time.advance(RECONNECT);
        assertThat(questions).isEmpty();
    }

    private void answerAll() {
        while (!questions.isEmpty()) {
            questions.remove().run();
        }
    }

    private static final class ManualChannel extends ManagedChannel {

        private final List<Runnable> callbacks = new CopyOnWriteArrayList<>();
        private ConnectivityState state = ConnectivityState.IDLE;
        private boolean connectsAtReset;

        void become(ConnectivityState next) {
            state = next;
            report();
        }

        void report() {
            List<Runnable> due = List.copyOf(callbacks);
            callbacks.clear();
            due.forEach(Runnable::run);
        }

        @Override
        public ConnectivityState getState(boolean requestConnection) {
            return state;
        }

        @Override
        public void notifyWhenStateChanged(ConnectivityState source, Runnable callback) {
            callbacks.add(callback);
        }

        @Override
        public void resetConnectBackoff() {
            if (connectsAtReset) {
                state = ConnectivityState.READY;
            }
        }

        @Override
        public ManagedChannel shutdown() {
            state = ConnectivityState.SHUTDOWN;
            return this;
        }

        @Override
        public ManagedChannel shutdownNow() {
            return shutdown();
        }

        @Override
        public boolean isShutdown() {
            return state == ConnectivityState.SHUTDOWN;
        }

        @Override
        public boolean isTerminated() {
            return isShutdown();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }

        @Override
        public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
            throw new AssertionError("the driver is asked without gRPC");
        }

        @Override
        public String authority() {
            return NAME;
        }
    }

    private static final class AskedDriver implements Driver {

        private String name = NAME;

        @Override
        public DriverInfo info() {
            return new DriverInfo(name, Set.of(Protocol.S3));
        }

        @Override
        public String dialect() {
            return "cosi.v1";
        }

        @Override
        public boolean issuesIds() {
            return false;
        }

        @Override
        public DriverAnswer<CreatedBucket> create(DriverOrder.Create order, Supplier<Duration> permitted) {
            throw new AssertionError(order);
        }

        @Override
        public DriverAnswer<EmptyAnswer> delete(DriverOrder.Delete order, Supplier<Duration> permitted) {
            throw new AssertionError(order);
        }

        @Override
        public DriverAnswer<GrantedAccess> grant(DriverOrder.Grant order, Supplier<Duration> permitted) {
            throw new AssertionError(order);
        }

        @Override
        public DriverAnswer<EmptyAnswer> revoke(DriverOrder.Revoke order, Supplier<Duration> permitted) {
            throw new AssertionError(order);
        }
    }
}
