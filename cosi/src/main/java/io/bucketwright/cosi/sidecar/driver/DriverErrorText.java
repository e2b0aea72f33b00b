package io.bucketwright.cosi.sidecar.driver;

import com.google.protobuf.MessageOrBuilder;
import io.bucketwright.cosi.wire.Redaction;
import io.grpc.Status;

/** A driver's own words, fit to be shown: short, on one line, and without any secret that it was told. */
public final class DriverErrorText {

    private static final int LONGEST = 400;

    private DriverErrorText() {}

    public static String of(Status status, MessageOrBuilder request) {
        String said = status.getDescription();
        return said == null ? "it gave no reason" : harmless(Redaction.scrub(said, request));
    }

    public static String harmless(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().limit(LONGEST).forEach(point -> {
            boolean plain = !Character.isISOControl(point) && Character.getType(point) != Character.FORMAT;
            shown.appendCodePoint(plain ? point : ' ');
        });
        if (text.codePointCount(0, text.length()) > LONGEST) {
            shown.append('…');
        }
        String line = shown.toString().strip();
        return line.isEmpty() ? "it gave no reason" : line;
    }
}
