package io.bucketwright.volumes.releaser;

import java.util.Optional;

/**
 * The intent to scrub a volume, recorded in an annotation before the first step.
 *
 * @param id the controller id of the releaser that scrubs it
 * @param claimUid the uid of the claim that the volume was bound to
 */
record ScrubIntent(String id, String claimUid) {

    private static final String VERSION = "v1";

    /** Empty for text of an unknown version. */
    static Optional<ScrubIntent> parse(String text) {
        String[] parts = text.split("/", -1);
        return parts.length == 3 && parts[0].equals(VERSION)
                ? Optional.of(new ScrubIntent(parts[1], parts[2]))
                : Optional.empty();
    }

    String text() {
        return VERSION + "/" + id + "/" + claimUid;
    }
}
