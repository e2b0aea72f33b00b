package io.bucketwright.cosi.wire;

import io.bucketwright.cosi.proto.AccessMode;
import java.util.Locale;
import java.util.Optional;

/**
 * What anonymous users may do with a bucket. The proposal lists {@code private}, {@code publicRead} and
 * {@code publicReadWrite} in one place and {@code ro}, {@code wo}, {@code rw} in another; all are accepted.
 */
public final class AnonymousAccessModes {

    private AnonymousAccessModes() {}

    /** Parses a mode; the empty text means private. Returns empty for any other text. */
    public static Optional<AccessMode> parse(String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT).replace("-", "").replace("_", "")) {
            case "", "private", "modeunspecified" -> Optional.of(AccessMode.MODE_UNSPECIFIED);
            case "ro", "readonly", "publicread" -> Optional.of(AccessMode.RO);
            case "wo", "writeonly", "publicwrite" -> Optional.of(AccessMode.WO);
            case "rw", "readwrite", "publicreadwrite" -> Optional.of(AccessMode.RW);
            default -> Optional.empty();
        };
    }
}
