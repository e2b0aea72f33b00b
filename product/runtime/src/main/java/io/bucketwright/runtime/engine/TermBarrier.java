package io.bucketwright.runtime.engine;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.cache.ObjectCaches;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leadership that begins when the caches of the role are at least as new as the moment at which the lease was acquired. Caches
 * may lag behind what the former leader wrote. Behind this barrier they do not: if a cache does not contain an object that only
 * the leader creates or deletes, the object does not exist.
 */
public final class TermBarrier implements Leadership {

    private static final Logger log = LoggerFactory.getLogger(TermBarrier.class);

    /** Of no lease. */
    private static final long NONE = Long.MIN_VALUE;

    /** What takes longer is reported: the role leads and does nothing. */
    private static final Duration NORMAL = Duration.ofSeconds(10);

    private static final Duration NOTABLE = Duration.ofMillis(100);

    private final Leadership lease;
    private final ObjectCaches caches;
    private final TimeSource time;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    /** The last term in which the caches are current. */
    private volatile long passed = NONE;

    /** The term whose barrier is being waited for. */
    private volatile long waiting = NONE;

    private volatile @Nullable Moment waitingSince;

    /**
     * A barrier for one role.
     *
     * @param lease held while this process has the lease
     * @param caches of the role; their clock is that of the machine
     */
    public TermBarrier(Leadership lease, ObjectCaches caches, TimeSource time) {
        this.lease = lease;
        this.caches = caches;
        this.time = time;
        lease.onGained(this::gained);
    }

    @Override
    public boolean held() {
        return passed == lease.term() && lease.held();
    }

    @Override
    public Duration remaining() {
        Duration left = lease.remaining();
        return passed == lease.term() ? left : Duration.ZERO;
    }

    /** A term begins when its caches are current: what was observed before that belongs to the term before. */
    @Override
    public long term() {
        return passed;
    }

    @Override
    public void onGained(Runnable listener) {
        listeners.add(listener);
        if (held()) {
            listener.run();
        }
    }

    /** How long the caches are not current although this process has the lease, if that is longer than it normally is. */
    Optional<Duration> delayed() {
        return Optional.ofNullable(waitingSince)
                .map(since -> time.moment().since(since))
                .filter(waited -> waited.compareTo(NORMAL) > 0);
    }

    /** Called for each opening of the fence, also for several in one term. */
    private void gained() {
        Moment since = time.moment();
        long term = lease.term();
        synchronized (this) {
            if (passed != term && waiting == term) {
                return;
            }
            if (passed != term) {
                waiting = term;
                waitingSince = since;
            }
        }
        if (passed == term) {
            listeners.forEach(this::call);
        } else {
            await(term, since);
        }
    }

    private void await(long term, Moment since) {
        caches.current(since, () -> isWanted(term)).whenComplete((current, failure) -> {
            if (ends(term, current, failure)) {
                report(term, time.moment().since(since));
                listeners.forEach(this::call);
            } else if (waiting == term) {
                await(term, since);
            }
        });
    }

    private static void report(long term, Duration waited) {
        if (waited.compareTo(NOTABLE) < 0) {
            log.debug("The caches are current in term {} after {} ms", term, waited.toMillis());
        } else {
            log.info("The caches are current in term {} after {} ms", term, waited.toMillis());
        }
    }

    private boolean isWanted(long term) {
        return lease.term() == term && lease.held();
    }

    /** Whether the barrier of the term has been passed. If it has not, and leadership was not lost, the wait goes on. */
    private synchronized boolean ends(long term, @Nullable Boolean current, @Nullable Throwable failure) {
        if (waiting != term) {
            return false;
        }
        if (failure == null && Boolean.TRUE.equals(current)) {
            passed = term;
        } else if (failure == null && isWanted(term)) {
            return false;
        } else if (failure != null) {
            log.debug("Nobody knows any more whether the caches are current: they are closed", failure);
        }
        // Under the lock: an opening of the fence from now on begins again.
        waiting = NONE;
        waitingSince = null;
        return passed == term;
    }

    /** Each by itself: workers that are not notified sleep although this process leads. */
    private void call(Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException | Error e) {
            log.error("A listener failed when this process became the leader; please report this", e);
        }
    }
}
