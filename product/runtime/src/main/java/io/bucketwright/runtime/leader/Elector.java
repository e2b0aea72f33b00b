package io.bucketwright.runtime.leader;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.runtime.client.ApiException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leader election for one role: tries to acquire or renew the lease for as long as the process runs. */
public final class Elector implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Elector.class);

    /** Followers wait up to a fifth longer between two attempts, so that they do not all try at the same time. */
    private static final double JITTER = 0.2;

    private final LeaseTiming timing;
    private final Fence fence;
    private final ObservedLease lease;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final CountDownLatch tried = new CountDownLatch(1);
    /** Whether this process has begun to be able to do the work. */
    private final CountDownLatch ready = new CountDownLatch(1);

    private @Nullable Thread thread;
    private String lastHolder = "";
    private long triedNanos;
    /** Whether this process can do the work; one that cannot must not lead. */
    private BooleanSupplier condition = () -> true;

    private volatile boolean releases = true;

    /**
     * Prepares the election.
     *
     * @param identity of this process, as users see it in the Lease
     * @param process tells this process from others with the same identity
     */
    public Elector(
            LeaseName name,
            String identity,
            HolderProcess process,
            LeaseTiming timing,
            ApiConnection connection,
            TimeSource time,
            MeterRegistry meters) {
        this.timing = timing;
        this.fence = new Fence(time);
        this.lease = new ObservedLease(
                name, identity, process, timing, connection.leases(timing.requestTimeout()), fence, time);
        Gauge.builder("bucketwright.leader", fence, leadership -> leadership.held() ? 1 : 0)
                .tag("lease", name.toString())
                .tag("serves", name.serves())
                .description("1 while this process may act")
                .register(meters);
    }

    /**
     * Leads only while the condition is met, such as that the watches are not lost. A leader that finds it is not stops acting
     * at once and lets the lease expire: calls that it has begun end before another process leads. Call it before the start.
     */
    public Elector onlyWhile(BooleanSupplier value) {
        condition = value;
        return this;
    }

    /** This process can do the work: starts the election, or goes on with it; returns at once. */
    public void start() {
        ready.countDown();
        tryOnce();
    }

    /**
     * Tries once to acquire the lease, before this process can do the work; returns at once. A process that gets the lease like
     * this gives it back if it cannot do the work within the duration of the lease. One that does not get it waits until the
     * {@link #start}.
     */
    public synchronized void tryOnce() {
        if (thread == null && closed.getCount() > 0) {
            thread = Thread.ofVirtual().name("elector").start(this::run);
        }
    }

    /** Waits for the first attempt; false if it takes longer. */
    public boolean awaitAttempt(Duration atMost) throws InterruptedException {
        return tried.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Held while this process leads. */
    public Leadership leadership() {
        return fence;
    }

    /** Closes without releasing the lease: work is still in flight, and another process must not lead before it has ended. */
    public void closeWithoutRelease() {
        releases = false;
        close();
    }

    /** Releases the lease if this process holds it. Drain first: nothing can be changed afterwards. */
    @Override
    public void close() {
        @Nullable Thread running;
        synchronized (this) {
            closed.countDown();
            tried.countDown();
            ready.countDown();
            running = thread;
        }
        fence.close();
        if (running != null) {
            awaitEnd(running);
        }
    }

    private void run() {
        try {
            boolean leads = leadsWhenReady();
            Duration pause = leads ? timing.retry().minusNanos(System.nanoTime() - triedNanos) : Duration.ZERO;
            while (!closed.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                leads = tryOnce(leads);
                pause = pause(timing, leads, ThreadLocalRandom.current().nextDouble());
            }
        } catch (InterruptedException e) {
            log.debug("The election for {} was interrupted", lease.name());
        }
        if (!releases) {
            // A renewal that was under way may have opened it again.
            fence.close();
            log.info(
                    "Lease {} is not released, because work is still in flight; others wait until it expires",
                    lease.name());
            return;
        }
        release();
    }

    /** Returns whether this process leads, when it can do the work. */
    private boolean leadsWhenReady() throws InterruptedException {
        boolean leads = closed.getCount() > 0 && tryOnce(false);
        tried.countDown();
        long end = System.nanoTime() + timing.lease().toNanos();
        while (leads && !ready.await(timing.retry().toNanos(), TimeUnit.NANOSECONDS)) {
            leads = tryOnce(true);
            if (leads && System.nanoTime() - end >= 0) {
                log.warn(
                        "Not leading {} any more: the caches of this process are not synced after {} s",
                        lease.name(),
                        timing.lease().toSeconds());
                release();
                leads = false;
            }
        }
        ready.await();
        return leads;
    }

    private void release() {
        try {
            lease.release();
        } catch (RuntimeException e) {
            log.info("Could not release lease {}; others wait until it expires: {}", lease.name(), e.getMessage());
        }
    }

    /**
     * The time between two attempts.
     *
     * @param random from 0 to 1
     */
    static Duration pause(LeaseTiming timing, boolean leads, double random) {
        double jitter = leads ? 0 : JITTER * random;
        return timing.retry().plusNanos((long) (timing.retry().toNanos() * jitter));
    }

    /** Whether the election goes on; true before the start and after the close. */
    public synchronized boolean isAlive() {
        return thread == null || thread.isAlive() || closed.getCount() == 0;
    }

    /** Nothing may end the election: this process would never lead again, and nobody would notice. */
    private boolean tryOnce(boolean led) {
        triedNanos = System.nanoTime();
        try {
            return acquireOrRenew(led);
        } catch (RuntimeException | Error e) {
            log.error("The election for {} failed; please report this", lease.name(), e);
            return led && fence.held();
        }
    }

    private boolean acquireOrRenew(boolean led) {
        if (!condition.getAsBoolean()) {
            if (led) {
                fence.close();
                log.warn("Not leading {} any more: the watches of this process are lost or refused", lease.name());
            }
            return false;
        }
        boolean leads;
        try {
            leads = lease.tryAcquireOrRenew();
        } catch (ApiException e) {
            // The fence decides how long this process may act without a renewal.
            leads = led && fence.held();
            log.info("Could not renew or acquire lease {}: {}", lease.name(), e.getMessage());
        }
        if (leads && !led) {
            log.info("Leading {} in term {}", lease.name(), fence.term());
        } else if (led && !leads) {
            fence.close();
            log.info("Not leading {} any more", lease.name());
        }
        String holder = lease.holder();
        if (!holder.equals(lastHolder) && !lease.isHeldByThisProcess()) {
            log.info("Leader of {} is {}", lease.name(), holder.isEmpty() ? "nobody" : holder);
        }
        lastHolder = holder;
        return leads;
    }

    /** Waits for the release even if the closing thread is interrupted: a released lease saves the others a wait. */
    private void awaitEnd(Thread running) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + timing.renewWithin().multipliedBy(2).toNanos();
        while (running.isAlive() && System.nanoTime() - deadline < 0) {
            try {
                running.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
