package io.bucketwright.runtime.objects;

import java.time.Duration;

/** Writes durations as Kubernetes does: {@code 15s}, {@code 1h30m}, {@code 250ms}, {@code 1.5s}. */
public final class DurationText {

    private DurationText() {}

    public static String of(Duration duration) {
        if (duration.isNegative()) {
            return "-" + of(duration.negated());
        }
        if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
            return duration.toMillis() == 0 ? "0s" : part(duration.toMillisPart(), "ms");
        }
        // Tenths matter only in what is short.
        long tenths = duration.compareTo(Duration.ofMinutes(1)) < 0 ? duration.toMillisPart() / 100 : 0;
        return part(duration.toHours(), "h")
                + part(duration.toMinutesPart(), "m")
                + (tenths == 0 ? part(duration.toSecondsPart(), "s") : duration.toSecondsPart() + "." + tenths + "s");
    }

    private static String part(long amount, String unit) {
        return amount == 0 ? "" : amount + unit;
    }
}
