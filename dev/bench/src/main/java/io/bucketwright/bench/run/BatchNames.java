package io.bucketwright.bench.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The names of the objects of one contender. */
final class BatchNames {

    private static final int SINGLE = 20;

    private BatchNames() {}

    /** Names such as {@code bind-again-0}. */
    static List<String> of(String prefix, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> prefix.replace(' ', '-') + "-" + i)
                .toList();
    }

    /** Names for objects that are created one at a time. */
    static List<String> single(String prefix) {
        return of(prefix + "-single", SINGLE);
    }

    /** Equal steps up to a number of objects, by the number of objects that exist after each. */
    static Map<Integer, List<String>> steps(String prefix, int count, int steps) {
        Map<Integer, List<String>> batches = new LinkedHashMap<>();
        int before = 0;
        for (int step = 1; step <= steps; step++) {
            int after = (int) ((long) count * step / steps);
            if (after > before) {
                batches.put(after, of(prefix + "-" + step, after - before));
            }
            before = after;
        }
        return batches;
    }
}
