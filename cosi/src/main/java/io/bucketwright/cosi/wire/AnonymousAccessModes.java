package io.bucketwright.cosi.wire;

import io.bucketwright.cosi.proto.AccessMode;
import java.util.Locale;
import java.util.Optional;

/**
 * What the uncredentialed may do with a bucket. The proposal lists {@code private}, {@code publicRead} and
 * {@code publicReadWrite} in one place and {@code ro}, {@code wo}, {@code rw} in another: all are read, one is written.
 */
public final class AnonymousAccessModes {

    private AnonymousAccessModes() {}

    /** Reads a spelling; nothing at all means private, and empty is answered for what is no mode. */
    public static Optional<AccessMode> parse(String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT).replace("-", "").replace("_", "")) {
            case "", "private", "modeunspecified" -> Optional.of(AccessMode.MODE_UNSPECIFIED);
            case "ro", "readonly", "publicread" -> Optional.of(AccessMode.RO);
            case "wo", "writeonly", "publicwrite" -> Optional.of(AccessMode.WO);
            case "rw", "readwrite", "publicreadwrite" -> Optional.of(AccessMode.RW);
            default -> Optional.empty();
        };
    }

    /** The spelling that objects store; empty for what is no mode. */
    public static Optional<String> word(AccessMode mode) {
        return switch (mode) {
            case MODE_UNSPECIFIED -> Optional.of("private");
            case RO -> Optional.of("ro");
            case WO -> Optional.of("wo");
            case RW -> Optional.of("rw");
            case UNRECOGNIZED -> Optional.empty();
        };
    }
}
