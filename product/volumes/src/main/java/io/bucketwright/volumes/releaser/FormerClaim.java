package io.bucketwright.volumes.releaser;

import java.util.Optional;

/**
 * The claim that a volume had before a soft release gave it to its successor, recorded in an annotation until the successor is
 * bound. If Kubernetes binds the successor to another volume, it removes the uid from the volume's claim reference; the volume
 * would then be reserved by name only, so the releaser writes the former uid again.
 *
 * @param id the controller id of the releaser
 * @param claimUid the uid of the former claim
 */
record FormerClaim(String id, String claimUid) {

    private static final String VERSION = "v1";

    /** Empty for text of an unknown version. */
    static Optional<FormerClaim> parse(String text) {
        String[] parts = text.split("/", -1);
        return parts.length == 3 && parts[0].equals(VERSION)
                ? Optional.of(new FormerClaim(parts[1], parts[2]))
                : Optional.empty();
    }

    String text() {
        return VERSION + "/" + id + "/" + claimUid;
    }
}
