package io.bucketwright.runtime.objects;

import java.time.Duration;

/** Writes durations as Kubernetes does: {@code 15s}, {@code 1h30m}, {@code 250ms}. */
public final class DurationText {

    private DurationText() {}

    public static String of(Duration duration) {
        if (duration.isNegative()) {
            return "-" + of(duration.negated());
        }
        boolean small = duration.compareTo(Duration.ofSeconds(1)) < 0;
        String text = part(duration.toHours(), "h")
                + part(duration.toMinutesPart(), "m")
                + part(duration.toSecondsPart(), "s")
                + (small ? part(duration.toMillisPart(), "ms") : "");
        return text.isEmpty() ? "0s" : text;
    }

    private static String part(long amount, String unit) {
        return amount == 0 ? "" : amount + unit;
    }
}
