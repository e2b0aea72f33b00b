package io.bucketwright.volumes.directories.provisioning;

import io.bucketwright.volumes.directories.files.Marker;
import java.util.Optional;

/**
 * What this process did for one claim. If it is lost, idempotent steps are repeated.
 *
 * @param created the marker for which the directory was created
 * @param owned the marker for which the owner was set
 * @param limited the marker for which a quota was requested
 * @param enforced whether the file system enforces that quota
 * @param reported the last message that was reported in an event
 * @param startNanos when the work on the claim started; 0 if it has not
 */
record DirectoryClaimState(
        Optional<Marker> created,
        Optional<Marker> owned,
        Optional<Marker> limited,
        boolean enforced,
        String reported,
        long startNanos) {

    static final DirectoryClaimState INITIAL =
            new DirectoryClaimState(Optional.empty(), Optional.empty(), Optional.empty(), false, "", 0);

    DirectoryClaimState started(long nanos) {
        return startNanos == 0
                ? new DirectoryClaimState(created, owned, limited, enforced, reported, nanos)
                : this;
    }

    DirectoryClaimState withCreated(Marker marker) {
        return new DirectoryClaimState(Optional.of(marker), owned, limited, enforced, reported, startNanos);
    }

    DirectoryClaimState withOwned(Marker marker) {
        return new DirectoryClaimState(created, Optional.of(marker), limited, enforced, reported, startNanos);
    }

    DirectoryClaimState withLimited(Marker marker, boolean byFileSystem) {
        return new DirectoryClaimState(created, owned, Optional.of(marker), byFileSystem, reported, startNanos);
    }

    DirectoryClaimState withReported(String message) {
        return new DirectoryClaimState(created, owned, limited, enforced, message, startNanos);
    }

    boolean isCreated(Marker marker) {
        return created.filter(marker::equals).isPresent();
    }

    boolean isOwned(Marker marker) {
        return owned.filter(marker::equals).isPresent();
    }

    boolean isLimited(Marker marker) {
        return limited.filter(marker::equals).isPresent();
    }
}
