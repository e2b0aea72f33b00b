package io.bucketwright.store.errors;

/** Shows what somebody wrote, in a message: short, on one line, and harmless in a terminal or an event. */
public final class InputText {

    private static final int LONGEST = 80;

    private InputText() {}

    /** In quotes, at most 80 characters of it, control characters escaped. */
    public static String quote(String input) {
        StringBuilder shown = new StringBuilder("\"");
        input.codePoints().limit(LONGEST).forEach(point -> {
            if (Character.isISOControl(point) || Character.getType(point) == Character.FORMAT || point == '"') {
                shown.append(String.format("\\u%04x", point));
            } else {
                shown.appendCodePoint(point);
            }
        });
        if (input.codePointCount(0, input.length()) > LONGEST) {
            shown.append('…');
        }
        return shown.append('"').toString();
    }
}
