package io.bucketwright.runtime.objects;

/**
 * Makes text that anybody may have written safe for one line of an event, a condition or a log: no control characters, no
 * line breaks, no invisible or text-direction characters, limited length.
 */
public final class SafeText {

    private static final int MAX_LINE = 240;
    private static final int MAX_QUOTE = 80;

    private SafeText() {}

    /** At most 240 characters; each unsafe character becomes a space, and several spaces become one. */
    public static String line(String text) {
        return line(text, MAX_LINE);
    }

    /** The same with another limit, for output that may be longer than an event. */
    public static String line(String text, int max) {
        StringBuilder safe = new StringBuilder();
        text.codePoints().limit(max).forEach(point -> safe.appendCodePoint(isSafe(point) ? point : ' '));
        return safe.toString().replaceAll(" {2,}", " ").strip() + ellipsis(text, max);
    }

    /** In quotation marks, at most 80 characters, each unsafe character escaped. */
    public static String quoted(String text) {
        StringBuilder safe = new StringBuilder();
        text.codePoints().limit(MAX_QUOTE).forEach(point -> {
            if (isSafe(point) && point != '"') {
                safe.appendCodePoint(point);
            } else {
                safe.append(String.format("\\u%04x", point));
            }
        });
        return "\"" + safe + ellipsis(text, MAX_QUOTE) + "\"";
    }

    private static String ellipsis(String text, int max) {
        return text.codePointCount(0, text.length()) > max ? "…" : "";
    }

    private static boolean isSafe(int point) {
        if (!Character.isDefined(point) || Character.isISOControl(point)) {
            return false;
        }
        int type = Character.getType(point);
        return type != Character.FORMAT
                && type != Character.SURROGATE
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR;
    }
}
