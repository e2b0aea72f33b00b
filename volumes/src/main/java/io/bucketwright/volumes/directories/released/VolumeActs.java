package io.bucketwright.volumes.directories.released;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.volumes.directories.files.AssetName;
import io.bucketwright.volumes.directories.files.DirectoryTree.Standing;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.released.Observed.Progress;
import io.bucketwright.volumes.directories.roots.Leaving;
import io.bucketwright.volumes.directories.roots.Root;
import io.bucketwright.volumes.directories.roots.Roots;
import io.bucketwright.volumes.directories.setup.DirectoryMetrics;
import io.bucketwright.volumes.directories.setup.Words;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Takes the steps, and remembers how far they have come. */
final class VolumeActs {

    private interface OnDisk {
        Outcome in(Root root) throws IOException;
    }

    private final ControllerContext parts;
    private final Roots roots;
    private final DirectoryMetrics metrics;
    private final ApiWriter writer;
    private final Leaving leaving;
    private final Consumer<ObjectKey> wake;
    private final Map<ObjectKey, Progress> memory = new ConcurrentHashMap<>();

    VolumeActs(ControllerContext parts, Roots roots, DirectoryMetrics metrics, Consumer<ObjectKey> wake) {
        this.parts = parts;
        this.roots = roots;
        this.metrics = metrics;
        this.writer = parts.connection().writer(parts.leadership(), parts.caches());
        this.leaving = new Leaving(parts.leadership());
        this.wake = wake;
    }

    Progress progress(ObjectKey key) {
        return memory.getOrDefault(key, nothing());
    }

    void forget(ObjectKey key) {
        memory.remove(key);
    }

    Outcome act(Step step) throws InterruptedException {
        return switch (step) {
            case Step.Tell(ObjectKey key, PersistentVolume volume, String message, boolean retry) -> {
                tell(key, volume, message);
                yield Outcome.finish(retry ? Result.retry(message) : Result.requiresChange(message));
            }
            case Step.AwaitRoot(ObjectKey key, Path root) ->
                roots.at(root).await(key, () -> wake.accept(key)) ? Outcome.progress() : Outcome.finish(Result.done());
            case Step.LookForNothing(ObjectKey key, PersistentVolume volume, Path root, AssetName name) ->
                onDisk(key, volume, root, place -> lookForNothing(key, place, name));
            case Step.MarkLeaving(ObjectKey key, PersistentVolume volume, Path root, Marker before, Marker after) ->
                onDisk(key, volume, root, place -> markLeaving(volume, place, before, after));
            case Step.MarkRetained(ObjectKey key, PersistentVolume volume, Path root, Marker before) ->
                onDisk(key, volume, root, place -> {
                    place.replace(before, before.retained());
                    return Outcome.progress();
                });
            case Step.Remove(ObjectKey key, PersistentVolume volume, Path root, Marker marker) -> {
                Root place = roots.at(root);
                yield place.actLong(
                        key,
                        () -> wake.accept(key),
                        () -> guarded(key, volume, place, it -> {
                            Outcome outcome = leaving.goOn(it, marker);
                            if (outcome instanceof Outcome.Progress) {
                                change(key, old -> new Progress(old.missing(), true, old.told(), old.since()));
                            }
                            return outcome;
                        }));
            }
            case Step.LetGo(ObjectKey _, PersistentVolume volume) -> letGo(volume);
            case Step.Delete(ObjectKey _, PersistentVolume volume) -> {
                writer.delete(volume);
                yield Outcome.progress();
            }
            case Step.RemoveMarker(ObjectKey key, PersistentVolume volume, Path root, Marker marker) ->
                onDisk(key, volume, root, place -> {
                    place.removeMarker(marker);
                    metrics.deleted(
                            volume.getSpec().getStorageClassName(),
                            Duration.ofNanos(
                                    parts.time().nanos() - progress(key).since()));
                    forget(key);
                    return Outcome.progress();
                });
        };
    }

    private Outcome lookForNothing(ObjectKey key, Root place, AssetName name) throws IOException {
        if (place.tree().standing(name) != Standing.NOTHING) {
            throw new IOException("A directory is there, but its marker is not, so nothing proves that it may be"
                    + " removed. Remove it by hand");
        }
        change(key, old -> new Progress(true, old.emptied(), old.told(), old.since()));
        return Outcome.progress();
    }

    private static Outcome markLeaving(PersistentVolume volume, Root place, Marker before, Marker after)
            throws IOException {
        Standing standing = place.tree().standing(after.name());
        if (standing == Standing.SOMETHING_ELSE) {
            throw new IOException("Where it should be is a file or a link. Nothing is done about it");
        }
        // An unmounted disk has no identity, so it never comes this far; still a human must agree that nothing is lost.
        if (standing == Standing.NOTHING && !Words.isLeaving(volume)) {
            throw new IOException("It is missing, although its root is there. Bring it back, or delete the volume if"
                    + " it is gone for good");
        }
        place.replace(before, after);
        return Outcome.progress();
    }

    private Outcome letGo(PersistentVolume volume) {
        int index = volume.getMetadata().getFinalizers().indexOf(Words.FINALIZER);
        String path = JsonPatch.path("metadata", "finalizers", Integer.toString(index));
        writer.patch(volume, JsonPatch.empty().test(path, Words.FINALIZER).remove(path));
        return Outcome.progress();
    }

    private Outcome onDisk(ObjectKey key, PersistentVolume volume, Path root, OnDisk work) throws InterruptedException {
        Root place = roots.at(root);
        return place.act(key, () -> wake.accept(key), () -> guarded(key, volume, place, work));
    }

    private Outcome guarded(ObjectKey key, PersistentVolume volume, Root place, OnDisk work) {
        try {
            parts.leadership().require();
            change(key, old -> old);
            return work.in(place);
        } catch (IOException e) {
            roots.failed(place, e);
            String message = "The volume's directory could not be removed. " + e.getMessage() + ".";
            tell(key, volume, message);
            return Outcome.finish(Result.retry(message));
        }
    }

    private void tell(ObjectKey key, PersistentVolume volume, String message) {
        parts.events().warning(volume, "VolumeFailedDelete", "Delete", message);
        metrics.deletionFailed(String.valueOf(volume.getSpec().getStorageClassName()));
        change(key, old -> new Progress(old.missing(), old.emptied(), message, old.since()));
    }

    private void change(ObjectKey key, UnaryOperator<Progress> change) {
        memory.compute(key, (_, old) -> change.apply(old == null ? nothing() : old));
    }

    private Progress nothing() {
        return new Progress(false, false, "", parts.time().nanos());
    }
}
