package io.bucketwright.volumes.directories;

import io.bucketwright.volumes.directories.files.Marker;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What this process did for one claim. If it is lost, idempotent steps are repeated.
 *
 * @param marker the marker for which the progress was made
 * @param reported the last message that was reported in an event
 * @param startNanos when the work on the claim started; 0 if it has not
 * @param usage what is known about the use of a directory that is to be removed with its content
 */
record DirectoryClaimState(
        @Nullable Marker marker, Progress progress, String reported, long startNanos, Optional<Usage> usage) {

    /** The steps on the disk, in their order. */
    enum Progress {
        NONE,
        CREATED,
        OWNED,
        /** A quota was requested, but the file system does not enforce it. */
        UNLIMITED,
        LIMITED
    }

    /**
     * What is known about the use of a marker's directory.
     *
     * @param unused whether the API server was asked and has no volume of that name; otherwise it must be asked
     */
    record Usage(Marker marker, boolean unused) {}

    static final DirectoryClaimState INITIAL = new DirectoryClaimState(null, Progress.NONE, "", 0, Optional.empty());

    DirectoryClaimState with(Marker done, Progress next) {
        return new DirectoryClaimState(done, next, reported, startNanos, usage);
    }

    DirectoryClaimState withReported(String message) {
        return new DirectoryClaimState(marker, progress, message, startNanos, usage);
    }

    DirectoryClaimState started(long nanos) {
        return startNanos == 0 ? new DirectoryClaimState(marker, progress, reported, nanos, usage) : this;
    }

    DirectoryClaimState withUsage(Marker checked, boolean unused) {
        return new DirectoryClaimState(marker, progress, reported, startNanos, Optional.of(new Usage(checked, unused)));
    }

    /** The same claim from its first step: what was found before may have changed. */
    DirectoryClaimState restarted() {
        return new DirectoryClaimState(null, Progress.NONE, reported, startNanos, Optional.empty());
    }

    /** Whether the API server confirmed that nothing uses the directory of this marker. */
    boolean isUnused(Marker current) {
        return usage.equals(Optional.of(new Usage(current, true)));
    }

    /** Whether the API server must be asked before the directory of this marker, which still exists, is removed. */
    boolean mustConfirm(Marker current) {
        return usage.equals(Optional.of(new Usage(current, false)));
    }

    /** The progress for this marker; none if the claim changed since. */
    Progress progress(Marker current) {
        return current.equals(marker) ? progress : Progress.NONE;
    }
}
