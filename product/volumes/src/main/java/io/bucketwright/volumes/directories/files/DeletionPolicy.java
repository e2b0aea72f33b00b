package io.bucketwright.volumes.directories.files;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;

/** What happens to a directory when its volume, with reclaim policy Delete, is released. */
public enum DeletionPolicy {
    DELETE,
    ARCHIVE,
    RETAIN;

    @JsonCreator
    public static DeletionPolicy parse(String text) {
        return Arrays.stream(values())
                .filter(value -> value.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("must be delete, archive or retain"));
    }

    @JsonValue
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
