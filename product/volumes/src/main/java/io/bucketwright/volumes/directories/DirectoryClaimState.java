package io.bucketwright.volumes.directories;

import io.bucketwright.volumes.directories.files.Marker;
import org.jspecify.annotations.Nullable;

/**
 * What this process did for one claim. If it is lost, idempotent steps are repeated.
 *
 * @param marker the marker for which the progress was made
 * @param reported the last message that was reported in an event
 * @param startNanos when the work on the claim started; 0 if it has not
 */
record DirectoryClaimState(@Nullable Marker marker, Progress progress, String reported, long startNanos) {

    /** What was done last for a directory, or found out. */
    enum Progress {
        NONE,
        CREATED,
        OWNED,
        /** A quota was requested, but the file system does not enforce it. */
        UNLIMITED,
        LIMITED,
        /** The directory is to be removed with its content: the API server must be asked whether a volume uses it. */
        TO_CONFIRM,
        /** The API server has no volume of its name. */
        UNUSED
    }

    static final DirectoryClaimState INITIAL = new DirectoryClaimState(null, Progress.NONE, "", 0);

    DirectoryClaimState with(Marker done, Progress next) {
        return new DirectoryClaimState(done, next, reported, startNanos);
    }

    DirectoryClaimState withReported(String message) {
        return new DirectoryClaimState(marker, progress, message, startNanos);
    }

    DirectoryClaimState started(long nanos) {
        return startNanos == 0 ? new DirectoryClaimState(marker, progress, reported, nanos) : this;
    }

    /** The same claim from its first step: what was found before may have changed. */
    DirectoryClaimState restarted() {
        return new DirectoryClaimState(null, Progress.NONE, reported, startNanos);
    }

    /** The progress for this marker; none if the claim changed since. */
    Progress progress(Marker current) {
        return current.equals(marker) ? progress : Progress.NONE;
    }
}
