package io.bucketwright.volumes.directories;

import static io.bucketwright.runtime.objects.Metadata.annotation;
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
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
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
record DirectoryRemovalDecision(
        DirectorySettings settings, DirectoryRemovalObservation observed, PersistentVolume volume) {

    static final String REASON = DirectoryReason.VOLUME_FAILED_DELETE;

    /** The process of a node has this time to remove a directory before others look whether the node exists. */
    static final Duration NODE_DELAY = Duration.ofMinutes(2);

    /** A finalizer of Kubernetes, on every volume. */
    private static final String PROTECTION = "kubernetes.io/pv-protection";

    /** The name of an archive also contains a time, a uid and {@code .json}, and must fit into 255 characters. */
    private static final int MAX_NAME_IN_ARCHIVE = 200;

    private static final DateTimeFormatter TIMESTAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    static Decision<DirectoryRemovalStep> decide(DirectorySettings settings, DirectoryRemovalObservation observed) {
        return observed.volume()
                .filter(_ -> observed.root().isPresent())
                .map(volume -> new DirectoryRemovalDecision(settings, observed, volume).decide())
                .orElseGet(Decision::done);
    }

    private Decision<DirectoryRemovalStep> decide() {
        if (!DirectoryAnnotations.isServedOnAnyNode(volume, settings)) {
            return Decision.done();
        }
        if (DirectoryAnnotations.isAbandoned(volume)) {
            return isReleased() ? abandon("an administrator gave it up") : Decision.done();
        }
        if (!DirectoryAnnotations.isServed(volume, settings)) {
            return onOtherNode();
        }
        if (!DirectoryName.isValid(volume.getMetadata().getName())) {
            return Decision.done();
        }
        if (!hasFinalizer() && isBeingDeleted(volume)) {
            return removeMarker();
        }
        String policy = String.valueOf(volume.getSpec().getPersistentVolumeReclaimPolicy());
        return switch (DirectoryVolumes.phase(volume)) {
            case "Released" ->
                switch (policy) {
                    case "Delete" -> observed.claimExists() ? Decision.done() : reclaim(true);
                    case "Retain" -> isBeingDeleted(volume) ? reclaim(false) : Decision.done();
                    default ->
                        report(Problem.requiresChange(
                                REASON, "Reclaim policy " + policy + " is not supported: use Delete or Retain."));
                };
            // Only the directory of a Released volume may be removed: the volume is deleted and its directory retained.
            case "Available", "Failed" -> isBeingDeleted(volume) ? reclaim(false) : Decision.done();
            default -> Decision.done();
        };
    }

    /** The process of another node removes the directory, unless the node no longer exists. */
    private Decision<DirectoryRemovalStep> onOtherNode() {
        String node = annotation(volume, DirectoryAnnotations.NODE);
        if (node.isEmpty() || settings.node().isEmpty() || !isReleased()) {
            return Decision.done();
        }
        if (observed.state().has(Fact.NODE_MISSING)) {
            return abandon("its node " + SafeText.quoted(node) + " no longer exists");
        }
        Duration left = Duration.between(observed.now(), releasedAt().plus(NODE_DELAY));
        return left.isPositive()
                ? Decision.finish(Result.requeueAfter(left, NODE_DELAY))
                : Decision.act(new DirectoryRemovalStep.CheckNode(volume, node));
    }

    private Decision<DirectoryRemovalStep> abandon(String reason) {
        String message = "The volume is deleted, but its directory is not removed: " + reason + ".";
        return hasFinalizer() && !observed.state().reported().equals(message)
                ? Decision.act(new DirectoryRemovalStep.ReportAbandoned(volume, message))
                : deleteVolume();
    }

    /** Whether the volume is to be deleted, with or without its directory. */
    private boolean isReleased() {
        return switch (DirectoryVolumes.phase(volume)) {
            case "Released" ->
                isBeingDeleted(volume)
                        || ("Delete".equals(volume.getSpec().getPersistentVolumeReclaimPolicy())
                                && !observed.claimExists());
            case "Available", "Failed" -> isBeingDeleted(volume);
            default -> false;
        };
    }

    private Instant releasedAt() {
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

    private Decision<DirectoryRemovalStep> reclaim(boolean removable) {
        return observed.root()
                .orElseThrow()
                .decide(
                        observed.state().reported(),
                        "The volume's directory is not removed yet. ",
                        "The volume's directory is not accessible. ",
                        new DirectoryRemovalStep.AwaitRoot(volume),
                        this::requiresUnwatchedChange,
                        identity -> reclaimFrom(identity.id(), removable));
    }

    private Decision<DirectoryRemovalStep> reclaimFrom(String root, boolean removable) {
        if (observed.marker().isEmpty()) {
            return withoutMarker(root);
        }
        return switch (observed.marker().get()) {
            case MarkerFile.Invalid(DirectoryName _, String problem) -> requiresUnwatchedChange(problem + ".");
            case MarkerFile.Valid(Marker marker) -> withMarker(root, marker, removable);
        };
    }

    private Decision<DirectoryRemovalStep> withMarker(String root, Marker marker, boolean removable) {
        if (!settings.servesNamespace(marker.claim().namespace())) {
            return Decision.done();
        }
        Optional<String> mismatch = mismatch(root, marker);
        boolean isOfClaim = marker.claim().uid().equals(annotation(volume, DirectoryAnnotations.CLAIM_UID));
        if (mismatch.isEmpty() && !isOfClaim && isSuperseded(marker)) {
            return abandon("claim " + marker.claim()
                    + " took it over before this volume was created for an earlier claim of" + " that name");
        }
        if (mismatch.isPresent() || !isOfClaim) {
            // Markers are not watched: a new claim or an administrator may replace this one.
            return requiresUnwatchedChange("The volume's directory is not removed, because "
                    + mismatch.orElse("its directory was created for another claim") + ".");
        }
        boolean remove = removable && marker.onDelete() != DeletionPolicy.RETAIN;
        return remove || marker.state() == State.DELETING ? remove(marker) : retain(marker);
    }

    /**
     * The request that created this volume was late: its claim was deleted, and a new claim of that name found the directory
     * without a volume and took it over. That claim waits until this volume no longer exists.
     */
    private boolean isSuperseded(Marker marker) {
        @Nullable ObjectReference claim = volume.getSpec().getClaimRef();
        return observed.markerClaimWaits()
                && marker.state() == State.IN_USE
                && claim != null
                && marker.claim().namespace().equals(claim.getNamespace())
                && marker.claim().name().equals(claim.getName());
    }

    /**
     * The first mismatch of marker and volume, except that of their claims; empty if they describe the same directory. Anybody
     * who can create volumes could otherwise have any directory of the root deleted.
     *
     * @param root the id of the open root
     */
    private Optional<String> mismatch(String root, Marker marker) {
        String name = volume.getMetadata().getName();
        boolean isOfClaim =
                DirectoryVolumes.names(DirectoryCaches.key(marker.claim())).contains(name);
        if (!marker.name().text().equals(name) || !isOfClaim) {
            return Optional.of("the name of its directory does not match the claim that the marker names");
        }
        if (!marker.cluster().equals(observed.clusterId())) {
            return Optional.of("the marker of its directory belongs to another cluster");
        }
        if (!marker.provisioner().equals(annotation(volume, DirectoryAnnotations.PROVISIONED_BY))) {
            return Optional.of("its directory was created by another provisioner");
        }
        if (!marker.node().equals(settings.node())) {
            return Optional.of("its directory was created on another node");
        }
        if (!marker.root().equals(root) || !marker.root().equals(annotation(volume, DirectoryAnnotations.ROOT))) {
            return Optional.of("its directory was created in another root");
        }
        if (!marker.storageClass().equals(volume.getSpec().getStorageClassName())) {
            return Optional.of("its directory was created for another class");
        }
        if (!DirectoryVolumes.location(volume).orElse("").equals(location(marker))) {
            return Optional.of("the volume's path is not the path of its directory");
        }
        return Optional.empty();
    }

    /** The path of the directory on the nodes; the root of an NFS server ends with a slash already. */
    private static String location(Marker marker) {
        String published = marker.published();
        return (published.endsWith("/") ? published : published + "/") + marker.name();
    }

    /**
     * A directory without a marker may be on a disk that is not mounted. Only an administrator, by deleting the volume, can
     * confirm that it no longer exists.
     */
    private Decision<DirectoryRemovalStep> withoutMarker(String root) {
        if (!root.equals(annotation(volume, DirectoryAnnotations.ROOT))) {
            return requiresUnwatchedChange(
                    "The volume's directory is in another root than the one that is mounted. It is not removed.");
        }
        if (!isBeingDeleted(volume)) {
            return requiresUnwatchedChange(
                    "The marker of the volume's directory is missing, so the directory is not removed. If it no longer"
                            + " exists, delete the volume.");
        }
        return observed.state().has(Fact.MISSING)
                ? deleteVolume()
                : Decision.act(new DirectoryRemovalStep.CheckMissing(volume));
    }

    /**
     * The deletion of the volume comes first: the API server accepts it only for the version that was observed, so nothing is
     * removed if the cache lags, as after a change to Retain. The finalizer keeps the volume until its directory is removed.
     */
    private Decision<DirectoryRemovalStep> remove(Marker marker) {
        if (hasFinalizer() && !isBeingDeleted(volume)) {
            return Decision.act(
                    marker.state() == State.DELETING || observed.state().has(Fact.PRESENT)
                            ? new DirectoryRemovalStep.DeleteVolume(volume)
                            : new DirectoryRemovalStep.CheckDirectory(volume));
        }
        if (marker.state() != State.DELETING) {
            String archive = marker.onDelete() == DeletionPolicy.ARCHIVE ? archiveName(marker, observed.now()) : "";
            return Decision.act(new DirectoryRemovalStep.MarkDeleting(volume, marker, marker.deleting(archive)));
        }
        return observed.state().has(Fact.REMOVED)
                ? deleteVolume()
                : Decision.act(new DirectoryRemovalStep.RemoveDirectory(volume, marker));
    }

    private Decision<DirectoryRemovalStep> retain(Marker marker) {
        return marker.state() == State.IN_USE
                ? Decision.act(new DirectoryRemovalStep.MarkRetained(volume, marker))
                : deleteVolume();
    }

    private Decision<DirectoryRemovalStep> deleteVolume() {
        if (hasFinalizer()) {
            // Kubernetes removes its own finalizer within moments. Our patch at the same time would be a conflict; the
            // watch reports when it is removed.
            return isBeingDeleted(volume) && Metadata.hasFinalizer(volume, PROTECTION)
                    ? Decision.done()
                    : Decision.act(new DirectoryRemovalStep.RemoveFinalizer(volume));
        }
        return isBeingDeleted(volume) ? Decision.done() : Decision.act(new DirectoryRemovalStep.DeleteVolume(volume));
    }

    /** The API server deletes the volume without us now. The marker of a removed directory is no longer needed. */
    private Decision<DirectoryRemovalStep> removeMarker() {
        boolean open = observed.root()
                .filter(root -> root.state() instanceof RootState.Open)
                .isPresent();
        return observed.marker()
                .flatMap(MarkerFile::valid)
                .filter(marker -> open && observed.state().has(Fact.REMOVED) && marker.state() == State.DELETING)
                .map(marker ->
                        Decision.<DirectoryRemovalStep>act(new DirectoryRemovalStep.RemoveMarker(volume, marker)))
                .orElseGet(Decision::done);
    }

    private Decision<DirectoryRemovalStep> requiresUnwatchedChange(String message) {
        return report(Problem.requiresUnwatchedChange(REASON, message));
    }

    private Decision<DirectoryRemovalStep> report(Problem problem) {
        return observed.state().reported().equals(problem.message())
                ? Decision.finish(problem.result())
                : Decision.act(new DirectoryRemovalStep.ReportProblem(volume, problem));
    }

    private boolean hasFinalizer() {
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
