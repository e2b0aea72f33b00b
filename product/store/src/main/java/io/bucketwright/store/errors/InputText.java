package io.bucketwright.store.errors;

import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Text that a user entered. Messages quote it, so that it is short, on one line and safe in a terminal, a log and an event. */
public final class InputText {

    private static final int MAX_LENGTH = 80;

    private InputText() {}

    /** The first 80 characters in quotes, with control characters and line breaks escaped. */
    public static String quote(String input) {
        StringBuilder shown = new StringBuilder("\"");
        input.codePoints().limit(MAX_LENGTH).forEach(point -> {
            if (isSafe(point)) {
                shown.appendCodePoint(point);
            } else {
                shown.append(String.format("\\u%04x", point));
            }
        });
        if (input.codePointCount(0, input.length()) > MAX_LENGTH) {
            shown.append('…');
        }
        return shown.append('"').toString();
    }

    private static boolean isSafe(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> point != '"';
        };
    }

    /** Parses {@code KEY=VALUE} pairs; throws the given exception if one has no key or repeats a key. */
    public static Map<String, String> pairs(Stream<String> pairs, Supplier<Invalid> malformed) {
        Map<String, String> parsed = new HashMap<>();
        pairs.forEach(pair -> {
            int equals = pair.indexOf('=');
            if (equals < 1
                    || parsed.put(
                                    pair.substring(0, equals).strip(),
                                    pair.substring(equals + 1).strip())
                            != null) {
                throw malformed.get();
            }
        });
        return parsed;
    }
}
