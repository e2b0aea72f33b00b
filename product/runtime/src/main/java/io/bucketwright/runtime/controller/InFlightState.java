package io.bucketwright.runtime.controller;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.queue.Backoff;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What only this process knows about keys between two steps: results that are not written yet, and failed attempts. Losing
 * it may repeat a step and must never lose data.
 *
 * <p>An entry belongs to the leadership term in which its key was last read. Another process may have repeated or undone
 * the work since then, so a read in another term returns the initial state, and an update by a step that began in an
 * earlier term is dropped.
 *
 * @param <K> the key
 * @param <S> an immutable record of the controller
 */
public final class InFlightState<K, S> {

    private static final Logger log = LoggerFactory.getLogger(InFlightState.class);

    /** How long a retry that is due may wait for a worker and take. */
    private static final Duration LONGEST_RETRY = Duration.ofMinutes(10);

    /**
     * A failure as it was recorded.
     *
     * @param nanos when, on the monotonic clock
     */
    private record Recorded(FailedAttempt attempt, long nanos) {

        Duration elapsed(long now) {
            return Duration.ofNanos(now - nanos);
        }

        FailedAttempt at(long now) {
            return attempt.after(elapsed(now));
        }
    }

    private record Entry<S>(
            long term,
            S state,
            @Nullable Recorded failure,
            @Nullable Problem reported) {}

    private final Leadership leadership;
    private final S initial;
    private final Backoff backoff;
    private final TimeSource time;
    private final RandomGenerator random;
    private final Map<K, Entry<S>> entries = new ConcurrentHashMap<>();
    /** Failures after which the other system requests to wait. They outlive the entry, so that no edit ends the wait. */
    private final Map<K, Recorded> held = new ConcurrentHashMap<>();

    public InFlightState(Leadership leadership, S initial, Backoff backoff, TimeSource time, RandomGenerator random) {
        this.leadership = leadership;
        this.initial = initial;
        this.backoff = backoff;
        this.time = time;
        this.random = random;
    }

    /** Now, on the clock of its delays. */
    public Moment moment() {
        return time.moment();
    }

    /** The state of the key in this term. Call it while observing: it begins the term for the steps that follow. */
    public S get(K key) {
        return read(key).state();
    }

    /** The state of the key in this term, if there is one. Begins nothing: for metrics. */
    public Optional<S> find(K key) {
        return current(key).map(Entry::state);
    }

    private Optional<Entry<S>> current(K key) {
        return Optional.ofNullable(entries.get(key)).filter(entry -> entry.term() == leadership.term());
    }

    /**
     * How long a step for the key may act: zero once this process does not lead, or another one led since the key was last
     * read. A call to another system must not last longer, and a call of several requests asks before each of them.
     */
    public Duration remaining(K key) {
        @Nullable Entry<S> entry = entries.get(key);
        return entry == null ? Duration.ZERO : leadership.remainingIn(entry.term());
    }

    public void update(K key, UnaryOperator<S> change) {
        replace(key, old -> new Entry<>(old.term(), change.apply(old.state()), old.failure(), old.reported()));
    }

    /** The problem that was last reported on the key in this term. Begins nothing: for metrics. */
    public Optional<Problem> reported(K key) {
        return current(key).map(Entry::reported);
    }

    /** Remembers that the problem is reported; false if it was reported last. */
    public boolean report(K key, Problem problem) {
        boolean again = problem.equals(read(key).reported());
        replace(key, old -> new Entry<>(old.term(), old.state(), old.failure(), problem));
        return !again;
    }

    /** Forgets the key, except how long another system requests to wait. */
    public void forget(K key) {
        entries.remove(key);
    }

    /** The keys that have a state. */
    public Set<K> keys() {
        return Set.copyOf(entries.keySet());
    }

    public int size() {
        return entries.size();
    }

    /**
     * The keys whose last attempt failed and is retried, in this term; for metrics. A failure that nobody cleared although the
     * key no longer needs the operation counts until a retry would have been recorded.
     */
    public Stream<K> retrying() {
        long term = leadership.term();
        long now = time.nanos();
        return entries.entrySet().stream()
                .filter(entry -> entry.getValue().term() == term && isRetried(entry.getValue(), now))
                .map(Map.Entry::getKey);
    }

    private static boolean isRetried(Entry<?> entry, long now) {
        @Nullable Recorded failure = entry.failure();
        if (failure == null || !failure.attempt().problem().isRetried()) {
            return false;
        }
        Duration expected = failure.attempt().retryIn().plus(LONGEST_RETRY);
        return failure.elapsed(now).compareTo(expected) < 0;
    }

    /** The last failure, or the one after which the other system still requests to wait. */
    public Optional<FailedAttempt> failure(K key) {
        long now = time.nanos();
        return Optional.ofNullable(read(key).failure())
                .map(failure -> failure.at(now))
                .or(() -> hold(key, now));
    }

    private Optional<FailedAttempt> hold(K key, long now) {
        return Optional.ofNullable(held.get(key))
                .map(failure -> failure.at(now))
                .filter(FailedAttempt::holds);
    }

    /** Records that the operation failed. Each further failure of the same operation doubles the delay. */
    public FailedAttempt recordFailure(K key, Object operation, String inputs, Problem problem) {
        return recordFailure(key, operation, inputs, problem, Duration.ZERO);
    }

    /**
     * Records that the operation failed and that the other system requests to wait. Until then the key is held, whatever the
     * operation and its inputs.
     *
     * @param wait is added to the delay, so that those who were asked to wait together do not come back together
     */
    public FailedAttempt recordFailure(K key, Object operation, String inputs, Problem problem, Duration wait) {
        @Nullable Entry<S> known = entries.get(key);
        @Nullable Recorded last = known == null ? null : known.failure();
        int attempts = last != null && last.attempt().operation().equals(operation)
                ? last.attempt().attempts() + 1
                : 1;
        long now = time.nanos();
        Duration before = hold(key, now).map(FailedAttempt::heldFor).orElse(Duration.ZERO);
        boolean longer = wait.compareTo(before) > 0;
        FailedAttempt failed = new FailedAttempt(
                operation,
                inputs,
                problem,
                attempts,
                wait.plus(backoff.delay(attempts, random)),
                longer ? wait : before);
        Recorded recorded = new Recorded(failed, now);
        if (longer) {
            held.values().removeIf(ended -> !ended.at(now).holds());
            held.put(key, recorded);
        }
        replace(key, old -> new Entry<>(old.term(), old.state(), recorded, old.reported()));
        log.warn("{} failed for {}: {} ({})", operation, key, problem.message(), problem.reason());
        return failed;
    }

    public void clearFailure(K key) {
        replace(key, old -> new Entry<>(old.term(), old.state(), null, old.reported()));
    }

    private Entry<S> read(K key) {
        long term = leadership.term();
        return entries.compute(
                key, (_, old) -> old == null || old.term() != term ? new Entry<>(term, initial, null, null) : old);
    }

    private void replace(K key, UnaryOperator<Entry<S>> change) {
        long term = leadership.term();
        entries.compute(key, (_, old) -> {
            if (old != null && old.term() != term) {
                return old;
            }
            return change.apply(old == null ? new Entry<>(term, initial, null, null) : old);
        });
    }
}
