package io.bucketwright.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PeriodicReconcilerTest {

    private static final Duration INTERVAL = Duration.ofMinutes(15);

    private final List<String> runs = new ArrayList<>();
    private final List<String> forgotten = new ArrayList<>();
    private boolean applies = true;
    private Result result = Result.done();

    private final ManualTime time = new ManualTime();
    private final PeriodicReconciler<String> reconciler = new PeriodicReconciler<>(
            new PeriodicTask<>() {
                @Override
                public boolean applies(String key) {
                    return applies;
                }

                @Override
                public Result run(String key) {
                    runs.add(key);
                    return result;
                }

                @Override
                public void forget(String key) {
                    forgotten.add(key);
                }
            },
            INTERVAL,
            time,
            new Random(7));

    @Test
    void theFirstRunIsSomewhereWithinTheIntervalAndTheNextOneIntervalLater() throws InterruptedException {
        Result.RequeueAfter first = (Result.RequeueAfter) reconciler.reconcile("a");
        assertThat(first.after()).isBetween(Duration.ZERO, INTERVAL);
        assertThat(runs).isEmpty();
        // A watch event in between changes nothing.
        assertThat(reconciler.reconcile("a")).isEqualTo(first);
        time.advance(first.after());
        assertThat(reconciler.reconcile("a")).isEqualTo(Result.requeueAfter(INTERVAL));
        assertThat(runs).containsExactly("a");
        assertThat(reconciler.reconcile("a")).isEqualTo(Result.requeueAfter(INTERVAL));
        assertThat(runs).containsExactly("a");
        time.advance(INTERVAL);
        reconciler.reconcile("a");
        assertThat(runs).containsExactly("a", "a");
    }

    @Test
    void aFailureIsRetriedByTheQueue() throws InterruptedException {
        result = Result.retry("The store is busy.");
        reconciler.reconcile("a");
        time.advance(INTERVAL);
        assertThat(reconciler.reconcile("a")).isEqualTo(result);
    }

    @Test
    void aKeyThatNeedsNoWorkIsForgotten() throws InterruptedException {
        reconciler.reconcile("a");
        applies = false;
        assertThat(reconciler.reconcile("a")).isEqualTo(Result.done());
        assertThat(forgotten).containsExactly("a");
        assertThat(runs).isEmpty();
    }

    /** A disk was busy, or a part of a large tree was measured: the work must not wait for the next interval. */
    @Test
    void aRunThatIsNotCompleteContinuesWhenTheKeyIsAdded() throws InterruptedException {
        Result.RequeueAfter first = (Result.RequeueAfter) reconciler.reconcile("a");
        time.advance(first.after());
        result = Result.requeueAfter(Duration.ofMinutes(1));
        assertThat(reconciler.reconcile("a")).isEqualTo(result);
        result = Result.pending();
        assertThat(reconciler.reconcile("a")).isEqualTo(result);
        assertThat(reconciler.reconcile("a")).isEqualTo(result);
        result = Result.done();
        assertThat(reconciler.reconcile("a")).isEqualTo(Result.requeueAfter(INTERVAL));
        assertThat(runs).hasSize(4);
        assertThat(reconciler.reconcile("a")).isEqualTo(Result.requeueAfter(INTERVAL));
        assertThat(runs).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {-2, 2})
    void aClockThatIsSetDoesNotChangeTheInterval(int hours) throws InterruptedException {
        reconciler.reconcile("a");
        time.advance(INTERVAL);
        reconciler.reconcile("a");
        assertThat(runs).hasSize(1);
        time.setWall(Duration.ofHours(hours));
        reconciler.reconcile("a");
        assertThat(runs).hasSize(1);
        time.advance(INTERVAL);
        reconciler.reconcile("a");
        assertThat(runs).hasSize(2);
    }
}
