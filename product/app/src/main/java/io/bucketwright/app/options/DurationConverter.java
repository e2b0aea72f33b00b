package io.bucketwright.app.options;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses durations as Kubernetes writes them: {@code 15s}, {@code 2m}, {@code 1h30m}. */
public final class DurationConverter implements ITypeConverter<Duration> {

    private static final Pattern SYNTAX = Pattern.compile("(?i)(\\d+h)?(\\d+m)?(\\d+s)?");

    @Override
    public Duration convert(String text) {
        try {
            if (SYNTAX.matcher(text).matches()) {
                return Duration.parse("PT" + text);
            }
        } catch (DateTimeParseException e) {
            // Empty, or too long to count.
        }
        throw new TypeConversionException("\"" + text + "\" is not a duration such as 15s, 2m or 1h30m");
    }

    /** The inverse of {@link #convert}, in whole seconds. */
    public static String format(Duration duration) {
        String text = part(duration.toHours(), "h")
                + part(duration.toMinutesPart(), "m")
                + part(duration.toSecondsPart(), "s");
        return text.isEmpty() ? "0s" : text;
    }

    private static String part(long amount, String unit) {
        return amount == 0 ? "" : amount + unit;
    }
}
