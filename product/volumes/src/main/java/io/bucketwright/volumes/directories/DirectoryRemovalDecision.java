package io.bucketwright.volumes.directories;

import static io.bucketwright.runtime.objects.Metadata.isBeingDeleted;

import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;
import io.bucketwright.volumes.directories.DirectoryRemovalState.Fact;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.files.DeletionPolicy;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.Marker.State;
import io.bucketwright.volumes.directories.files.MarkerFile;
import io.bucketwright.volumes.directories.files.RootIdentity;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The decision on the next step for a volume. Pure. */
record DirectoryRemovalDecision(DirectorySettings settings, DirectoryRemovalObservation observed) {

    static final String REASON = DirectoryReason.VOLUME_FAILED_DELETE;

    /** The process of a node has this time to remove a directory before others look whether the node exists. */
    static final Duration NODE_DELAY = Duration.ofMinutes(2);

    /** A finalizer of Kubernetes, on every volume. */
    private static final String PROTECTION = "kubernetes.io/pv-protection";

    /** The name of an archive also contains a time, a uid and {@code .json}, and must fit into 255 characters. */
    private static final int MAX_NAME_IN_ARCHIVE = 200;

    private static final DateTimeFormatter TIMESTAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    Decision<DirectoryRemovalStep> decide() {
        if (observed.volume().isEmpty() || observed.root().isEmpty()) {
            return Decision.done();
        }
        PersistentVolume volume = observed.volume().get();
        if (!DirectoryAnnotations.isServedOnAnyNode(volume, settings)) {
            return Decision.done();
        }
        if (DirectoryAnnotations.isAbandoned(volume)) {
            return isReleased(volume) ? abandon(volume, "an administrator gave it up") : Decision.done();
        }
        if (!DirectoryAnnotations.isServed(volume, settings)) {
            return onOtherNode(volume);
        }
        if (!DirectoryName.isValid(volume.getMetadata().getName())) {
            return Decision.done();
        }
        if (!hasFinalizer(volume) && isBeingDeleted(volume)) {
            return removeMarker(volume);
        }
        String policy = String.valueOf(volume.getSpec().getPersistentVolumeReclaimPolicy());
        return switch (DirectoryVolumes.phase(volume)) {
            case "Released" ->
                switch (policy) {
                    case "Delete" -> observed.claimExists() ? Decision.done() : reclaim(volume, true);
                    case "Retain" -> isBeingDeleted(volume) ? reclaim(volume, false) : Decision.done();
                    default ->
                        requiresChange(volume, "Reclaim policy " + policy + " is not supported: use Delete or Retain.");
                };
            // Only the directory of a Released volume may be removed: the volume is deleted and its directory retained.
            case "Available", "Failed" -> isBeingDeleted(volume) ? reclaim(volume, false) : Decision.done();
            default -> Decision.done();
        };
    }

    /** The process of another node removes the directory, unless the node no longer exists. */
    private Decision<DirectoryRemovalStep> onOtherNode(PersistentVolume volume) {
        String node = Metadata.annotation(volume, DirectoryAnnotations.NODE);
        if (node.isEmpty() || settings.node().isEmpty() || !isReleased(volume)) {
            return Decision.done();
        }
        if (observed.state().has(Fact.NODE_MISSING)) {
            return abandon(volume, "its node " + SafeText.quoted(node) + " no longer exists");
        }
        Duration left = Duration.between(observed.now(), releasedAt(volume).plus(NODE_DELAY));
        return left.isPositive()
                ? Decision.finish(Result.requeueAfter(left, NODE_DELAY))
                : Decision.act(new DirectoryRemovalStep.CheckNode(volume, node));
    }

    private Decision<DirectoryRemovalStep> abandon(PersistentVolume volume, String reason) {
        String message = "The volume is deleted, but its directory is not removed: " + reason + ".";
        return hasFinalizer(volume) && !observed.state().reported().equals(message)
                ? Decision.act(new DirectoryRemovalStep.ReportAbandoned(volume, message))
                : deleteVolume(volume);
    }

    /** Whether the volume is to be deleted, with or without its directory. */
    private boolean isReleased(PersistentVolume volume) {
        return switch (DirectoryVolumes.phase(volume)) {
            case "Released" ->
                isBeingDeleted(volume)
                        || ("Delete".equals(volume.getSpec().getPersistentVolumeReclaimPolicy())
                                && !observed.claimExists());
            case "Available", "Failed" -> isBeingDeleted(volume);
            default -> false;
        };
    }

    private static Instant releasedAt(PersistentVolume volume) {
        @Nullable String text = volume.getMetadata().getDeletionTimestamp();
        if (text == null && volume.getStatus() != null) {
            text = volume.getStatus().getLastPhaseTransitionTime();
        }
        try {
            return text == null ? Instant.EPOCH : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            return Instant.EPOCH;
        }
    }

    private Decision<DirectoryRemovalStep> reclaim(PersistentVolume volume, boolean removable) {
        Path root = observed.root().orElseThrow();
        Optional<Decision<DirectoryRemovalStep>> obstacle = observed.rootObservation()
                .obstacle(
                        observed.state().reported(),
                        "The volume's directory is not removed yet. ",
                        "The volume's directory is not accessible. ",
                        new DirectoryRemovalStep.AwaitRoot(volume, root),
                        message -> requiresUnwatchedChange(volume, message));
        if (obstacle.isPresent()
                || !(observed.rootObservation().state() instanceof RootState.Open(RootIdentity identity))) {
            return obstacle.orElseThrow();
        }
        if (observed.marker().isEmpty()) {
            return withoutMarker(volume, root, identity);
        }
        return switch (observed.marker().get()) {
            case MarkerFile.Invalid(DirectoryName _, String problem) -> requiresUnwatchedChange(volume, problem + ".");
            case MarkerFile.Valid(Marker marker) -> withMarker(volume, root, identity, marker, removable);
        };
    }

    private Decision<DirectoryRemovalStep> withMarker(
            PersistentVolume volume, Path root, RootIdentity identity, Marker marker, boolean removable) {
        if (!settings.servesNamespace(marker.claim().namespace())) {
            return Decision.done();
        }
        MarkerVerification verification = new MarkerVerification(observed.clusterId(), identity.id(), settings.node());
        Optional<String> mismatch = verification.mismatch(volume, marker);
        if (mismatch.isPresent() && isSuperseded(volume, marker, verification)) {
            return abandon(
                    volume,
                    "claim " + marker.claim() + " took it over before this volume was created for an earlier claim of"
                            + " that name");
        }
        if (mismatch.isPresent()) {
            // Markers are not watched: a new claim or an administrator may replace this one.
            return requiresUnwatchedChange(
                    volume, "The volume's directory is not removed, because " + mismatch.get() + ".");
        }
        boolean remove = removable && marker.onDelete() != DeletionPolicy.RETAIN;
        return remove || marker.state() == State.DELETING ? remove(volume, root, marker) : retain(volume, root, marker);
    }

    /**
     * The request that created this volume was late: its claim was deleted, and a new claim of that name found the directory
     * without a volume and took it over. That claim waits until this volume no longer exists.
     */
    private boolean isSuperseded(PersistentVolume volume, Marker marker, MarkerVerification verification) {
        return observed.markerClaimWaits()
                && marker.state() == State.IN_USE
                && verification.isOfEarlierClaim(volume, marker);
    }

    /**
     * A directory without a marker may be on a disk that is not mounted. Only an administrator, by deleting the volume, can
     * confirm that it no longer exists.
     */
    private Decision<DirectoryRemovalStep> withoutMarker(PersistentVolume volume, Path root, RootIdentity identity) {
        if (!identity.id().equals(Metadata.annotation(volume, DirectoryAnnotations.ROOT))) {
            return requiresUnwatchedChange(
                    volume,
                    "The volume's directory is in another root than the one that is mounted. It is not removed.");
        }
        if (!isBeingDeleted(volume)) {
            return requiresUnwatchedChange(
                    volume,
                    "The marker of the volume's directory is missing, so the directory is not removed. If it no longer"
                            + " exists, delete the volume.");
        }
        if (!observed.state().has(Fact.MISSING)) {
            return Decision.act(new DirectoryRemovalStep.CheckMissing(
                    volume, root, new DirectoryName(volume.getMetadata().getName())));
        }
        return deleteVolume(volume);
    }

    /**
     * The deletion of the volume comes first: the API server accepts it only for the version that was observed, so nothing is
     * removed if the cache lags, as after a change to Retain. The finalizer keeps the volume until its directory is removed.
     */
    private Decision<DirectoryRemovalStep> remove(PersistentVolume volume, Path root, Marker marker) {
        if (hasFinalizer(volume) && !isBeingDeleted(volume)) {
            return Decision.act(
                    marker.state() == State.DELETING || observed.state().has(Fact.PRESENT)
                            ? new DirectoryRemovalStep.DeleteVolume(volume)
                            : new DirectoryRemovalStep.CheckDirectory(volume, root, marker.name()));
        }
        if (marker.state() != State.DELETING) {
            String archive = marker.onDelete() == DeletionPolicy.ARCHIVE ? archiveName(marker, observed.now()) : "";
            return Decision.act(new DirectoryRemovalStep.MarkDeleting(volume, root, marker, marker.deleting(archive)));
        }
        if (!observed.state().has(Fact.REMOVED)) {
            return Decision.act(new DirectoryRemovalStep.RemoveDirectory(volume, root, marker));
        }
        return deleteVolume(volume);
    }

    private Decision<DirectoryRemovalStep> retain(PersistentVolume volume, Path root, Marker marker) {
        if (marker.state() == State.IN_USE) {
            return Decision.act(new DirectoryRemovalStep.MarkRetained(volume, root, marker));
        }
        return deleteVolume(volume);
    }

    private Decision<DirectoryRemovalStep> deleteVolume(PersistentVolume volume) {
        if (hasFinalizer(volume)) {
            // Kubernetes removes its own finalizer within moments. Our patch at the same time would be a conflict; the
            // watch reports when it is removed.
            return isBeingDeleted(volume) && Metadata.hasFinalizer(volume, PROTECTION)
                    ? Decision.done()
                    : Decision.act(new DirectoryRemovalStep.RemoveFinalizer(volume));
        }
        return isBeingDeleted(volume) ? Decision.done() : Decision.act(new DirectoryRemovalStep.DeleteVolume(volume));
    }

    /** The API server deletes the volume without us now. The marker of a removed directory is no longer needed. */
    private Decision<DirectoryRemovalStep> removeMarker(PersistentVolume volume) {
        return observed.marker()
                .flatMap(MarkerFile::valid)
                .filter(marker -> observed.rootObservation().state() instanceof RootState.Open
                        && observed.state().has(Fact.REMOVED)
                        && marker.state() == State.DELETING)
                .map(marker -> Decision.<DirectoryRemovalStep>act(new DirectoryRemovalStep.RemoveMarker(
                        volume, observed.root().orElseThrow(), marker)))
                .orElseGet(Decision::done);
    }

    private Decision<DirectoryRemovalStep> requiresUnwatchedChange(PersistentVolume volume, String message) {
        return report(volume, Problem.requiresUnwatchedChange(REASON, message));
    }

    private Decision<DirectoryRemovalStep> requiresChange(PersistentVolume volume, String message) {
        return report(volume, Problem.requiresChange(REASON, message));
    }

    private Decision<DirectoryRemovalStep> report(PersistentVolume volume, Problem problem) {
        return observed.state().reported().equals(problem.message())
                ? Decision.finish(problem.result())
                : Decision.act(new DirectoryRemovalStep.ReportProblem(volume, problem));
    }

    private static boolean hasFinalizer(PersistentVolume volume) {
        return Metadata.hasFinalizer(volume, DirectoryAnnotations.FINALIZER);
    }

    /** The uid makes the name unique, even for truncated names and for two archives in one second. */
    private static String archiveName(Marker marker, Instant now) {
        String name = marker.name().text();
        String uid = marker.claim().uid();
        return name.substring(0, Math.min(MAX_NAME_IN_ARCHIVE, name.length())) + "." + TIMESTAMP.format(now) + "."
                + uid.substring(0, Math.min(8, uid.length()));
    }
}
