package io.bucketwright.volumes.podclaims;

/** What people wrote, made fit to stand in an event: one line, not long, nothing that a terminal would obey. */
public final class Printable {

    private static final int LONGEST = 240;

    private Printable() {}

    public static String of(String text) {
        StringBuilder clean = new StringBuilder();
        text.codePoints().limit(LONGEST).forEach(point -> {
            boolean plain = Character.isDefined(point)
                    && !Character.isISOControl(point)
                    && Character.getType(point) != Character.FORMAT
                    && Character.getType(point) != Character.SURROGATE
                    && Character.getType(point) != Character.LINE_SEPARATOR
                    && Character.getType(point) != Character.PARAGRAPH_SEPARATOR;
            clean.appendCodePoint(plain ? point : ' ');
        });
        String line = clean.toString().replaceAll(" {2,}", " ").strip();
        return text.codePointCount(0, text.length()) > LONGEST ? line + "…" : line;
    }
}
