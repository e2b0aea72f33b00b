package io.bucketwright.volumes.releaser;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How a volume is released. */
enum Mode {
    /** Not at all. */
    NONE,
    /** For the claim of the same namespace and name only. */
    SOFT,
    /** For anybody, with whatever is on it. */
    FULL,
    /** For anybody, emptied. */
    SCRUB;

    static Optional<Mode> of(String word) {
        return Arrays.stream(values()).filter(mode -> mode.word().equals(word)).findFirst();
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
