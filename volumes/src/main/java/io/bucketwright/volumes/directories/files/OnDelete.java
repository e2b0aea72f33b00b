package io.bucketwright.volumes.directories.files;

import java.util.Arrays;
import java.util.Locale;

/** What becomes of a directory when its volume is deleted by policy. */
public enum OnDelete {
    DELETE,
    ARCHIVE,
    RETAIN;

    public static OnDelete parse(String text) {
        return Arrays.stream(values())
                .filter(value -> value.word().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("must be delete, archive or retain"));
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
