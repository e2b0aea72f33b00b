package io.bucketwright.volumes.releaser;

import io.bucketwright.volumes.podclaims.ControllerId;
import java.util.Optional;

/**
 * The intent to empty a volume, written to it before anything is done.
 *
 * @param id of the releaser that does it
 * @param claimUid whose claim had it before
 */
record ScrubMark(String id, String claimUid) {

    private static final String VERSION = "v1";

    static ScrubMark of(ControllerId id, String claimUid) {
        return new ScrubMark(id.value(), claimUid);
    }

    /** Empty for a mark that is not understood: another version wrote it, and nothing is guessed. */
    static Optional<ScrubMark> read(String text) {
        String[] parts = text.split("/", -1);
        return parts.length == 3 && parts[0].equals(VERSION)
                ? Optional.of(new ScrubMark(parts[1], parts[2]))
                : Optional.empty();
    }

    String text() {
        return VERSION + "/" + id + "/" + claimUid;
    }
}
