package io.bucketwright.volumes.directories.deletion;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.DirectoryTree.EntryType;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.metrics.DirectoryMetrics;
import io.bucketwright.volumes.directories.objects.DirectoryAnnotations;
import io.bucketwright.volumes.directories.roots.RootCaller;
import io.bucketwright.volumes.directories.roots.RootDirectories;
import io.bucketwright.volumes.directories.roots.RootOperation;
import io.bucketwright.volumes.directories.roots.Roots;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Executes the steps. */
final class DirectoryRemovalActs {

    private final ControllerContext context;
    private final Roots roots;
    private final DirectoryMetrics metrics;
    private final ApiWriter writer;
    private final Consumer<ObjectKey> queue;
    private final Map<ObjectKey, DirectoryRemovalState> states = new ConcurrentHashMap<>();

    DirectoryRemovalActs(
            ControllerContext context, Roots roots, DirectoryMetrics metrics, Consumer<ObjectKey> queue) {
        this.context = context;
        this.roots = roots;
        this.metrics = metrics;
        this.writer = context.connection().writer(context.leadership(), context.caches());
        this.queue = queue;
    }

    DirectoryRemovalState state(ObjectKey key) {
        return states.getOrDefault(key, initial());
    }

    void forget(ObjectKey key) {
        states.remove(key);
    }

    Outcome act(DirectoryRemovalStep step) throws InterruptedException {
        return switch (step) {
            case DirectoryRemovalStep.ReportProblem(var key, var volume, var message, var then) -> {
                reportProblem(key, volume, message);
                yield Outcome.finish(then);
            }
            case DirectoryRemovalStep.AwaitRoot(var key, var root) ->
                roots.at(root).awaitOpen(RootCaller.of(key, queue))
                        ? Outcome.progress()
                        : Outcome.finish(Result.done());
            case DirectoryRemovalStep.CheckMissing(var key, var volume, var root, var name) ->
                onRoot(key, volume, root, directories -> checkMissing(key, directories, name));
            case DirectoryRemovalStep.MarkDeleting(var key, var volume, var root, var before, var after) ->
                onRoot(key, volume, root, directories -> markDeleting(volume, directories, before, after));
            case DirectoryRemovalStep.MarkRetained(var key, var volume, var root, var before) ->
                onRoot(key, volume, root, directories -> {
                    directories.replaceMarker(before, before.retained());
                    return Outcome.progress();
                });
            case DirectoryRemovalStep.RemoveDirectory(var key, var volume, var root, var marker) ->
                roots.at(root)
                        .runLong(
                                RootCaller.of(key, queue),
                                directories -> removeDirectory(key, directories, marker),
                                failed(key, volume));
            case DirectoryRemovalStep.RemoveFinalizer(var _, var volume) -> removeFinalizer(volume);
            case DirectoryRemovalStep.DeleteVolume(var _, var volume) -> {
                writer.delete(volume);
                yield Outcome.progress();
            }
            case DirectoryRemovalStep.RemoveMarker(var key, var volume, var root, var marker) ->
                onRoot(key, volume, root, directories -> removeMarker(key, volume, directories, marker));
        };
    }

    private Outcome checkMissing(ObjectKey key, RootDirectories directories, DirectoryName name) throws IOException {
        if (directories.entryType(name) != EntryType.MISSING) {
            throw new IOException("The directory exists but its marker is missing, so its owner is unknown. Remove the"
                    + " directory manually");
        }
        update(key, DirectoryRemovalState::withMissing);
        return Outcome.progress();
    }

    private static Outcome markDeleting(
            PersistentVolume volume, RootDirectories directories, Marker before, Marker after) throws IOException {
        EntryType type = directories.entryType(after.name());
        if (type == EntryType.OTHER) {
            throw new IOException("It is a file or a symbolic link, not a directory, and is left unchanged");
        }
        // An unmounted root has no identity and is handled before. Still, an administrator must confirm the loss.
        if (type == EntryType.MISSING && !DirectoryAnnotations.isBeingDeleted(volume)) {
            throw new IOException("The directory is missing, although its root is mounted. Restore it, or delete the"
                    + " volume if the directory no longer exists");
        }
        directories.replaceMarker(before, after);
        return Outcome.progress();
    }

    private Outcome removeDirectory(ObjectKey key, RootDirectories directories, Marker marker) throws IOException {
        update(key, state -> state);
        if (!directories.remove(marker)) {
            return Outcome.finish(Result.requeueAfter(Duration.ZERO));
        }
        update(key, DirectoryRemovalState::withRemoved);
        return Outcome.progress();
    }

    private Outcome removeFinalizer(PersistentVolume volume) {
        int index = volume.getMetadata().getFinalizers().indexOf(DirectoryAnnotations.FINALIZER);
        String path = JsonPatch.path("metadata", "finalizers", Integer.toString(index));
        writer.patch(
                volume,
                JsonPatch.empty().test(path, DirectoryAnnotations.FINALIZER).remove(path));
        return Outcome.progress();
    }

    private Outcome removeMarker(ObjectKey key, PersistentVolume volume, RootDirectories directories, Marker marker)
            throws IOException {
        directories.removeMarker(marker);
        metrics.deleted(
                volume.getSpec().getStorageClassName(),
                Duration.ofNanos(context.time().nanos() - state(key).startNanos()));
        forget(key);
        return Outcome.progress();
    }

    private Outcome onRoot(ObjectKey key, PersistentVolume volume, Path root, RootOperation operation)
            throws InterruptedException {
        return roots.at(root)
                .run(
                        RootCaller.of(key, queue),
                        directories -> {
                            update(key, state -> state);
                            return operation.run(directories);
                        },
                        failed(key, volume));
    }

    private Function<IOException, Outcome> failed(ObjectKey key, PersistentVolume volume) {
        return e -> {
            String message = "The volume's directory could not be removed. " + e.getMessage() + ".";
            reportProblem(key, volume, message);
            return Outcome.finish(Result.retry(message));
        };
    }

    private void reportProblem(ObjectKey key, PersistentVolume volume, String message) {
        context.events().warning(volume, "VolumeFailedDelete", "Delete", message);
        metrics.deletionFailed(String.valueOf(volume.getSpec().getStorageClassName()));
        update(key, state -> state.withReported(message));
    }

    private void update(ObjectKey key, UnaryOperator<DirectoryRemovalState> change) {
        states.compute(key, (_, old) -> change.apply(old == null ? initial() : old));
    }

    private DirectoryRemovalState initial() {
        return DirectoryRemovalState.initial(context.time().nanos());
    }
}
