package io.bucketwright.volumes.releaser;

import java.util.Optional;

/**
 * The claim that a volume had, recorded in an annotation by one releaser: before a scrub, as its intent; or before a soft
 * release gave the volume to a successor, until that is bound. If Kubernetes binds the successor to another volume, it removes
 * the uid from the volume's claim reference; the volume would then be reserved by name only, so the releaser writes the former
 * uid again.
 *
 * @param id the controller id of the releaser
 * @param claimUid the uid of the claim
 */
record RecordedClaim(String id, String claimUid) {

    private static final String VERSION = "v1";

    /** Empty for text of an unknown version. */
    static Optional<RecordedClaim> parse(String text) {
        String[] parts = text.split("/", -1);
        return parts.length == 3 && parts[0].equals(VERSION)
                ? Optional.of(new RecordedClaim(parts[1], parts[2]))
                : Optional.empty();
    }

    String text() {
        return VERSION + "/" + id + "/" + claimUid;
    }
}
