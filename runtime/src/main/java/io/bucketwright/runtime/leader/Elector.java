package io.bucketwright.runtime.leader;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.client.ApiConnection;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs for the leadership of one role for as long as the process lives, again after each defeat. */
public final class Elector implements Leadership, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Elector.class);

    private final LeaseName lease;
    private final LeaseTiming timing;
    private final KubernetesClient client;
    private final TimeSource time;
    private final Fence fence;
    private final ObservedLease lock;
    private final Executor executor = task -> Thread.ofVirtual().name("elector").start(task);

    private @Nullable CompletableFuture<?> campaign;
    private boolean closed;

    /**
     * Prepares to run.
     *
     * @param identity of this process, different from that of any other, also of its own restart
     */
    public Elector(
            LeaseName lease,
            String identity,
            LeaseTiming timing,
            ApiConnection connection,
            TimeSource time,
            MeterRegistry meters) {
        this.lease = lease;
        this.timing = timing;
        this.client = connection.reader();
        this.time = time;
        this.fence = new Fence(time);
        this.lock = new ObservedLease(lease, identity, timing, connection.leases(timing.requestTimeout()), fence, time);
        Gauge.builder("bucketwright.leader", fence, it -> it.isOpen() ? 1 : 0)
                .tag("lease", lease.toString())
                .description("1 while this process may act")
                .register(meters);
    }

    /** Begins to run; returns at once. */
    public synchronized void start() {
        if (closed) {
            return;
        }
        LeaderCallbacks callbacks = new LeaderCallbacks(
                () -> log.info("Leading {} in term {}", lease, fence.term()), this::lost, this::heard);
        LeaderElectionConfig config = new LeaderElectionConfig(
                lock, timing.lease(), timing.renewWithin(), timing.retry(), callbacks, true, lease.toString());
        // An elector of fabric8 runs once; after a defeat a new one takes its place.
        CompletableFuture<?> running = new LeaderElector(client, config, executor).start();
        campaign = running;
        CompletableFuture<?> _ = running.whenComplete((ignored, problem) -> runAgain());
    }

    @Override
    public boolean held() {
        return fence.isOpen();
    }

    @Override
    public long term() {
        return fence.term();
    }

    @Override
    public void onGained(Runnable listener) {
        fence.onOpened(listener);
    }

    /** Stops running and gives the lease back, if it is ours. Drain first: nothing can be changed afterwards. */
    @Override
    public void close() {
        @Nullable CompletableFuture<?> running;
        synchronized (this) {
            closed = true;
            running = campaign;
        }
        fence.close();
        if (running != null) {
            // fabric8 releases the lease in the thread that cancels.
            running.cancel(true);
        }
        fence.close();
    }

    private void runAgain() {
        synchronized (this) {
            if (closed) {
                return;
            }
        }
        time.after(timing.retry(), this::start);
    }

    private void lost() {
        fence.close();
        log.info("Not leading {} any more", lease);
    }

    private void heard(@Nullable String leader) {
        log.info("Leader of {} is {}", lease, leader == null || leader.isEmpty() ? "nobody" : leader);
    }
}
