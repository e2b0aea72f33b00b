package io.bucketwright.store.errors;

/** Quotes user input for messages, so that it is short, on one line and safe in a terminal, a log and an event. */
public final class InputText {

    private static final int MAX_LENGTH = 80;

    private InputText() {}

    /** The first 80 characters in quotes, with control characters escaped. */
    public static String quote(String input) {
        StringBuilder shown = new StringBuilder("\"");
        input.codePoints().limit(MAX_LENGTH).forEach(point -> {
            if (Character.isISOControl(point) || Character.getType(point) == Character.FORMAT || point == '"') {
                shown.append(String.format("\\u%04x", point));
            } else {
                shown.appendCodePoint(point);
            }
        });
        if (input.codePointCount(0, input.length()) > MAX_LENGTH) {
            shown.append('…');
        }
        return shown.append('"').toString();
    }
}
