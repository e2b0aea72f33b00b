package io.bucketwright.volumes.releaser;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How a volume is released. */
enum ReleaseMode {
    /** Does not release the volume. */
    NONE,
    /** Stays Released until a claim with the same name is created in the same namespace, and is bound to it. */
    SOFT,
    /** Any claim can bind it, with its data. */
    FULL,
    /** Any claim can bind it, after its data is deleted. */
    SCRUB;

    static Optional<ReleaseMode> of(String text) {
        return Arrays.stream(values()).filter(mode -> mode.text().equals(text)).findFirst();
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
