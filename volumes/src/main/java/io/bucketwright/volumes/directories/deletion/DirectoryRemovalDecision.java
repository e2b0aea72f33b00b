package io.bucketwright.volumes.directories.deletion;

import static io.bucketwright.runtime.objects.Metadata.isBeingDeleted;

import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.files.DeletionPolicy;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.Marker.State;
import io.bucketwright.volumes.directories.files.MarkerFile;
import io.bucketwright.volumes.directories.files.RootIdentity;
import io.bucketwright.volumes.directories.objects.DirectoryAnnotations;
import io.bucketwright.volumes.directories.objects.DirectoryVolumes;
import io.bucketwright.volumes.directories.roots.RootState;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** Decides the next step for a volume. Pure. */
record DirectoryRemovalDecision(DirectorySettings settings) {

    static final String REASON = "VolumeFailedDelete";

    /** The name of an archive also contains a time, a uid and {@code .json}, and must fit into 255 characters. */
    private static final int MAX_NAME_IN_ARCHIVE = 200;

    private static final DateTimeFormatter TIMESTAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    Decision<DirectoryRemovalStep> decide(DirectoryRemovalObservation observed) {
        if (observed.volume().isEmpty() || observed.root().isEmpty()) {
            return Decision.done();
        }
        PersistentVolume volume = observed.volume().get();
        if (!DirectoryAnnotations.isServed(volume, settings)
                || !DirectoryName.isValid(volume.getMetadata().getName())) {
            return Decision.done();
        }
        if (!hasFinalizer(volume) && isBeingDeleted(volume)) {
            return removeMarker(observed, volume);
        }
        String policy = String.valueOf(volume.getSpec().getPersistentVolumeReclaimPolicy());
        return switch (DirectoryVolumes.phase(volume)) {
            case "Released" ->
                switch (policy) {
                    case "Delete" -> observed.claimExists() ? Decision.done() : reclaim(observed, volume, true);
                    case "Retain" -> isBeingDeleted(volume) ? reclaim(observed, volume, false) : Decision.done();
                    default ->
                        requiresChange(
                                observed,
                                volume,
                                "Reclaim policy " + policy + " is not supported: use Delete or Retain.");
                };
            // Only the directory of a Released volume may be removed: the volume is deleted and its directory retained.
            case "Available", "Failed" -> isBeingDeleted(volume) ? reclaim(observed, volume, false) : Decision.done();
            default -> Decision.done();
        };
    }

    private Decision<DirectoryRemovalStep> reclaim(
            DirectoryRemovalObservation observed, PersistentVolume volume, boolean removable) {
        Path root = observed.root().orElseThrow();
        return switch (observed.rootState()) {
            case RootState.NotOpened() -> Decision.act(new DirectoryRemovalStep.AwaitRoot(observed.key(), root));
            case RootState.Unavailable(String reason) -> {
                String message = "The volume's directory is not accessible. " + reason;
                yield observed.state().reported().equals(message)
                        ? Decision.act(new DirectoryRemovalStep.AwaitRoot(observed.key(), root))
                        : requiresUnwatchedChange(observed, volume, message);
            }
            case RootState.Open(RootIdentity identity) -> {
                if (observed.marker().isEmpty()) {
                    yield withoutMarker(observed, volume, root, identity);
                }
                yield switch (observed.marker().get()) {
                    case MarkerFile.Invalid(DirectoryName _, String problem) ->
                        requiresUnwatchedChange(observed, volume, problem + ".");
                    case MarkerFile.Valid(Marker marker) ->
                        withMarker(observed, volume, root, identity, marker, removable);
                };
            }
        };
    }

    private Decision<DirectoryRemovalStep> withMarker(
            DirectoryRemovalObservation observed,
            PersistentVolume volume,
            Path root,
            RootIdentity identity,
            Marker marker,
            boolean removable) {
        if (!settings.servesNamespace(marker.claim().namespace())) {
            return Decision.done();
        }
        Optional<String> mismatch =
                new MarkerVerification(observed.clusterId(), identity.id(), settings.node()).mismatch(volume, marker);
        if (mismatch.isPresent()) {
            return requiresChange(
                    observed, volume, "The volume's directory is not removed, because " + mismatch.get() + ".");
        }
        boolean remove = removable && marker.onDelete() != DeletionPolicy.RETAIN;
        return remove || marker.state() == State.DELETING
                ? remove(observed, volume, root, marker)
                : retain(observed, volume, root, marker);
    }

    /**
     * A directory without a marker may be on a disk that is not mounted. Only an administrator, by deleting the volume, can
     * confirm that it no longer exists.
     */
    private static Decision<DirectoryRemovalStep> withoutMarker(
            DirectoryRemovalObservation observed, PersistentVolume volume, Path root, RootIdentity identity) {
        if (!identity.id().equals(Metadata.annotation(volume, DirectoryAnnotations.ROOT))) {
            return requiresUnwatchedChange(
                    observed,
                    volume,
                    "The volume's directory is in another root than the one that is mounted. It is not removed.");
        }
        if (!isBeingDeleted(volume)) {
            return requiresUnwatchedChange(
                    observed,
                    volume,
                    "The marker of the volume's directory is missing, so the directory is not removed. If it no longer"
                            + " exists, delete the volume.");
        }
        if (!observed.state().missing()) {
            return Decision.act(new DirectoryRemovalStep.CheckMissing(
                    observed.key(),
                    volume,
                    root,
                    new DirectoryName(volume.getMetadata().getName())));
        }
        return deleteVolume(observed, volume);
    }

    private static Decision<DirectoryRemovalStep> remove(
            DirectoryRemovalObservation observed, PersistentVolume volume, Path root, Marker marker) {
        if (marker.state() != State.DELETING) {
            String archive = marker.onDelete() == DeletionPolicy.ARCHIVE ? archiveName(marker, observed.now()) : "";
            return Decision.act(new DirectoryRemovalStep.MarkDeleting(
                    observed.key(), volume, root, marker, marker.deleting(archive)));
        }
        if (!observed.state().removed()) {
            return Decision.act(new DirectoryRemovalStep.RemoveDirectory(observed.key(), volume, root, marker));
        }
        return deleteVolume(observed, volume);
    }

    private static Decision<DirectoryRemovalStep> retain(
            DirectoryRemovalObservation observed, PersistentVolume volume, Path root, Marker marker) {
        if (marker.state() == State.IN_USE) {
            return Decision.act(new DirectoryRemovalStep.MarkRetained(observed.key(), volume, root, marker));
        }
        return deleteVolume(observed, volume);
    }

    private static Decision<DirectoryRemovalStep> deleteVolume(
            DirectoryRemovalObservation observed, PersistentVolume volume) {
        if (hasFinalizer(volume)) {
            return Decision.act(new DirectoryRemovalStep.RemoveFinalizer(observed.key(), volume));
        }
        return isBeingDeleted(volume)
                ? Decision.done()
                : Decision.act(new DirectoryRemovalStep.DeleteVolume(observed.key(), volume));
    }

    /** The API server deletes the volume without us now. The marker of a removed directory is no longer needed. */
    private static Decision<DirectoryRemovalStep> removeMarker(
            DirectoryRemovalObservation observed, PersistentVolume volume) {
        return observed.marker()
                .flatMap(MarkerFile::valid)
                .filter(marker -> observed.rootState() instanceof RootState.Open
                        && observed.state().removed()
                        && marker.state() == State.DELETING)
                .map(marker -> Decision.<DirectoryRemovalStep>act(new DirectoryRemovalStep.RemoveMarker(
                        observed.key(), volume, observed.root().orElseThrow(), marker)))
                .orElseGet(Decision::done);
    }

    private static Decision<DirectoryRemovalStep> requiresUnwatchedChange(
            DirectoryRemovalObservation observed, PersistentVolume volume, String message) {
        return report(observed, volume, Problem.requiresUnwatchedChange(REASON, message));
    }

    private static Decision<DirectoryRemovalStep> requiresChange(
            DirectoryRemovalObservation observed, PersistentVolume volume, String message) {
        return report(observed, volume, Problem.requiresChange(REASON, message));
    }

    private static Decision<DirectoryRemovalStep> report(
            DirectoryRemovalObservation observed, PersistentVolume volume, Problem problem) {
        return observed.state().reported().equals(problem.message())
                ? Decision.finish(problem.result())
                : Decision.act(new DirectoryRemovalStep.ReportProblem(observed.key(), volume, problem));
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
