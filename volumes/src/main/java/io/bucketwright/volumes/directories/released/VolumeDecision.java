package io.bucketwright.volumes.directories.released;

import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.volumes.directories.files.AssetName;
import io.bucketwright.volumes.directories.files.DirectoryTree;
import io.bucketwright.volumes.directories.files.DirectoryTree.Found;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.Marker.State;
import io.bucketwright.volumes.directories.files.OnDelete;
import io.bucketwright.volumes.directories.files.RootIdentity;
import io.bucketwright.volumes.directories.roots.RootState;
import io.bucketwright.volumes.directories.setup.Settings;
import io.bucketwright.volumes.directories.setup.Words;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What to do next about a volume. Pure. */
final class VolumeDecision {

    /** With time, uid and the ending of its record an archive's name still fits on every file system. */
    private static final int LONGEST_IN_ARCHIVE = 200;

    private final DateTimeFormatter stamp =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private final Settings settings;

    VolumeDecision(Settings settings) {
        this.settings = settings;
    }

    Decision<Step> decide(Observed observed) {
        if (observed.volume().isEmpty() || observed.root().isEmpty()) {
            return Decision.done();
        }
        PersistentVolume volume = observed.volume().get();
        if (!isOurs(volume) || !AssetName.fits(volume.getMetadata().getName())) {
            return Decision.done();
        }
        if (!hasFinalizer(volume) && Words.isLeaving(volume)) {
            return forgetMarker(observed, volume);
        }
        String policy = String.valueOf(volume.getSpec().getPersistentVolumeReclaimPolicy());
        return switch (phase(volume)) {
            case "Released" ->
                switch (policy) {
                    case "Delete" -> observed.claimLives() ? Decision.done() : onRoot(observed, volume, true);
                    case "Retain" -> Words.isLeaving(volume) ? onRoot(observed, volume, false) : Decision.done();
                    default ->
                        tell(
                                observed,
                                volume,
                                "Reclaim policy " + policy + " is not supported: use Delete or Retain.",
                                false);
                };
            // Nobody has it, and only a Released one may be removed: somebody wants the volume gone, so it goes alone.
            case "Available", "Failed" -> Words.isLeaving(volume) ? onRoot(observed, volume, false) : Decision.done();
            default -> Decision.done();
        };
    }

    private Decision<Step> onRoot(Observed observed, PersistentVolume volume, boolean byPolicy) {
        Path root = observed.root().orElseThrow();
        return switch (observed.state()) {
            case RootState.Unopened() -> Decision.act(new Step.AwaitRoot(observed.key(), root));
            case RootState.Closed(String why) -> {
                String message = "Its directory cannot be reached. " + why;
                yield observed.progress().told().equals(message)
                        ? Decision.act(new Step.AwaitRoot(observed.key(), root))
                        : Decision.act(new Step.Tell(observed.key(), volume, message, true));
            }
            case RootState.Open(RootIdentity identity, DirectoryTree _) -> {
                if (observed.marker().isEmpty()) {
                    yield withoutMarker(observed, volume, root, identity);
                }
                yield switch (observed.marker().get()) {
                    case Found.Unknown(AssetName _, String why) -> tell(observed, volume, why + ".", true);
                    case Found.Known(Marker marker) -> {
                        if (!settings.servesNamespace(marker.claim().namespace())) {
                            yield Decision.done();
                        }
                        Optional<String> flaw = new Proof(settings, identity.id()).flaw(volume, marker);
                        if (flaw.isPresent()) {
                            yield tell(
                                    observed,
                                    volume,
                                    "The volume's directory is not removed, because " + flaw.get()
                                            + ". Nothing is done about it.",
                                    false);
                        }
                        boolean goes = byPolicy && marker.onDelete() != OnDelete.RETAIN;
                        yield goes || marker.state() == State.LEAVING
                                ? remove(observed, volume, root, marker)
                                : keep(observed, volume, root, marker);
                    }
                };
            }
        };
    }

    /** An unmounted disk looks the same as a removed directory, so a human must have said that the volume may go. */
    private static Decision<Step> withoutMarker(
            Observed observed, PersistentVolume volume, Path root, RootIdentity identity) {
        AssetName name = new AssetName(volume.getMetadata().getName());
        boolean rightRoot =
                identity.id().equals(Words.annotation(volume, Words.ROOT).orElse(""));
        if (!rightRoot) {
            return tell(
                    observed,
                    volume,
                    "The volume's directory is in another root than the one that is mounted. Nothing is done about it.",
                    true);
        }
        if (!Words.isLeaving(volume)) {
            return tell(
                    observed,
                    volume,
                    "The marker of the volume's directory is missing, so nothing proves that it may be removed. If the"
                            + " directory is gone for good, delete the volume.",
                    true);
        }
        if (!observed.progress().missing()) {
            return Decision.act(new Step.LookForNothing(observed.key(), volume, root, name));
        }
        return letGo(observed, volume);
    }

    private Decision<Step> remove(Observed observed, PersistentVolume volume, Path root, Marker marker) {
        if (marker.state() != State.LEAVING) {
            String archive = marker.onDelete() == OnDelete.ARCHIVE ? archiveName(marker, observed.now()) : "";
            return Decision.act(new Step.MarkLeaving(observed.key(), volume, root, marker, marker.leaving(archive)));
        }
        if (!observed.progress().emptied()) {
            return Decision.act(new Step.Remove(observed.key(), volume, root, marker));
        }
        return hasFinalizer(volume) ? letGo(observed, volume) : delete(observed, volume);
    }

    private static Decision<Step> keep(Observed observed, PersistentVolume volume, Path root, Marker marker) {
        if (marker.state() == State.HELD) {
            return Decision.act(new Step.MarkRetained(observed.key(), volume, root, marker));
        }
        return hasFinalizer(volume) ? letGo(observed, volume) : delete(observed, volume);
    }

    private static Decision<Step> letGo(Observed observed, PersistentVolume volume) {
        return hasFinalizer(volume) ? Decision.act(new Step.LetGo(observed.key(), volume)) : Decision.done();
    }

    private static Decision<Step> delete(Observed observed, PersistentVolume volume) {
        return Words.isLeaving(volume) ? Decision.done() : Decision.act(new Step.Delete(observed.key(), volume));
    }

    /** The volume goes without us; a marker that says the same has done its duty. */
    private static Decision<Step> forgetMarker(Observed observed, PersistentVolume volume) {
        if (observed.state() instanceof RootState.Open
                && observed.progress().emptied()
                && observed.marker().isPresent()
                && observed.marker().get() instanceof Found.Known(Marker marker)
                && marker.state() == State.LEAVING) {
            return Decision.act(new Step.RemoveMarker(
                    observed.key(), volume, observed.root().orElseThrow(), marker));
        }
        return Decision.done();
    }

    private boolean isOurs(PersistentVolume volume) {
        return Words.annotation(volume, Words.PROVISIONED_BY)
                        .filter(by -> settings.servesClass(
                                String.valueOf(volume.getSpec().getStorageClassName()), by))
                        .isPresent()
                && Words.annotation(volume, Words.ROOT).isPresent()
                && isHere(volume);
    }

    /** Of local volumes only those of our own node: the others' disks are not here. */
    private boolean isHere(PersistentVolume volume) {
        return Words.annotation(volume, Words.NODE).orElse("").equals(settings.node());
    }

    private static Decision<Step> tell(Observed observed, PersistentVolume volume, String message, boolean retry) {
        if (!observed.progress().told().equals(message)) {
            return Decision.act(new Step.Tell(observed.key(), volume, message, retry));
        }
        return Decision.finish(retry ? Result.retry(message) : Result.requiresChange(message));
    }

    private String archiveName(Marker marker, Instant now) {
        String name = marker.name().text();
        String uid = marker.claim().uid();
        // The uid makes it the only one of its kind, also of two within a second, and of two long names cut short.
        return name.substring(0, Math.min(LONGEST_IN_ARCHIVE, name.length())) + "." + stamp.format(now) + "."
                + uid.substring(0, Math.min(8, uid.length()));
    }

    private static boolean hasFinalizer(PersistentVolume volume) {
        List<String> finalizers = volume.getMetadata().getFinalizers();
        return finalizers != null && finalizers.contains(Words.FINALIZER);
    }

    private static String phase(PersistentVolume volume) {
        return volume.getStatus() == null
                ? ""
                : String.valueOf(volume.getStatus().getPhase());
    }
}
