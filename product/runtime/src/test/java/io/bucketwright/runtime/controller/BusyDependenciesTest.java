package io.bucketwright.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dependencies that all have more keys than they get permits. */
class BusyDependenciesTest {

    private static final int AVERAGE = 100;

    private final Deque<Integer> added = new ArrayDeque<>();

    @ParameterizedTest
    @CsvSource({"1,2", "2,2", "4,4", "4,5", "4,12", "8,8", "8,9", "8,24", "16,16", "16,17"})
    void ofAsManyOrMoreDependenciesThanWorkersEachIsServed(int workers, int dependencies) {
        ConcurrencyLimits<Integer> limits = ConcurrencyLimits.forWorkers(workers);
        limits.connect(added::add, _ -> "");
        int[] calls = new int[dependencies];
        limits.act("another", -1, () -> {
            IntStream.range(0, dependencies).forEach(key -> serve(limits, key, calls));
            return Outcome.progress();
        });
        while (IntStream.of(calls).sum() < AVERAGE * dependencies) {
            serve(limits, added.removeFirst(), calls);
        }
        assertThat(IntStream.of(calls).boxed()).allMatch(count -> count > AVERAGE / 2);
    }

    /** Meanwhile another key of the same dependency begins to wait. */
    private static void serve(ConcurrencyLimits<Integer> limits, int key, int[] calls) {
        limits.act(key % calls.length, key, () -> {
            calls[key % calls.length]++;
            serve(limits, key + calls.length, calls);
            return Outcome.progress();
        });
        limits.finished(key);
    }
}
