package io.bucketwright.volumes.directories.deletion;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.DirectoryTree.EntryType;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.metrics.DirectoryMetrics;
import io.bucketwright.volumes.directories.objects.DirectoryAnnotations;
import io.bucketwright.volumes.directories.roots.RequeueTarget;
import io.bucketwright.volumes.directories.roots.Root;
import io.bucketwright.volumes.directories.roots.RootCaller;
import io.bucketwright.volumes.directories.roots.RootDirectories;
import io.bucketwright.volumes.directories.roots.Roots;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Executes the steps. */
record DirectoryRemovalActs(
        ControllerContext context,
        Roots roots,
        DirectoryMetrics metrics,
        InFlightState<ObjectKey, DirectoryRemovalState> states,
        RequeueTarget<ObjectKey> requeue) {

    Outcome act(DirectoryRemovalStep step) throws InterruptedException {
        return switch (step) {
            case DirectoryRemovalStep.ReportProblem(var key, var volume, var problem) -> report(key, volume, problem);
            case DirectoryRemovalStep.AwaitRoot(var key, var root) ->
                roots.at(root).awaitOpen(requeue.caller(key)) ? Outcome.progress() : Outcome.finish(Result.done());
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
                removeDirectory(key, volume, roots.at(root), marker);
            case DirectoryRemovalStep.RemoveFinalizer(var key, var volume) -> removeFinalizer(key, volume);
            case DirectoryRemovalStep.DeleteVolume(var key, var volume) -> {
                context.writer().delete(volume);
                count(key, volume);
                yield Outcome.progress();
            }
            case DirectoryRemovalStep.RemoveMarker(var key, var volume, var root, var marker) ->
                onRoot(key, volume, root, directories -> removeMarker(key, directories, marker));
        };
    }

    private Outcome checkMissing(ObjectKey key, RootDirectories directories, DirectoryName name) throws IOException {
        if (directories.entryType(name) != EntryType.MISSING) {
            throw new IOException("The directory exists but its marker is missing, so its owner is unknown. Remove the"
                    + " directory manually");
        }
        states.update(key, DirectoryRemovalState::withMissing);
        return Outcome.progress();
    }

    private static Outcome markDeleting(
            PersistentVolume volume, RootDirectories directories, Marker before, Marker after) throws IOException {
        EntryType type = directories.entryType(after.name());
        if (type == EntryType.OTHER) {
            throw new IOException("It is a file or a symbolic link, not a directory, and is left unchanged");
        }
        // An unmounted root has no identity and is handled before. Still, an administrator must confirm the loss.
        if (type == EntryType.MISSING && !Metadata.isBeingDeleted(volume)) {
            throw new IOException("The directory is missing, although its root is mounted. Restore it, or delete the"
                    + " volume if the directory no longer exists");
        }
        directories.replaceMarker(before, after);
        return Outcome.progress();
    }

    private Outcome removeDirectory(ObjectKey key, PersistentVolume volume, Root root, Marker marker)
            throws InterruptedException {
        return root.runLong(
                started(key),
                directories -> {
                    if (!directories.remove(marker)) {
                        return Outcome.finish(Result.requeueAfter(Duration.ZERO));
                    }
                    states.update(key, DirectoryRemovalState::withRemoved);
                    return Outcome.progress();
                },
                e -> failed(key, volume, e));
    }

    private Outcome removeFinalizer(ObjectKey key, PersistentVolume volume) {
        int index = Metadata.finalizers(volume).indexOf(DirectoryAnnotations.FINALIZER);
        String path = JsonPatch.path("metadata", "finalizers", Integer.toString(index));
        context.writer()
                .patch(
                        volume,
                        JsonPatch.empty()
                                .test(path, DirectoryAnnotations.FINALIZER)
                                .remove(path));
        count(key, volume);
        return Outcome.progress();
    }

    /**
     * Counts a deletion once, with the first write that ends the volume. The marker may be removed by the controller of
     * claims instead, as soon as the volume no longer exists.
     */
    private void count(ObjectKey key, PersistentVolume volume) {
        DirectoryRemovalState state = states.get(key);
        if (state.removed() && !state.counted()) {
            long now = context.time().nanos();
            metrics.deleted(
                    volume.getSpec().getStorageClassName(),
                    Duration.ofNanos(now - state.started(now).startNanos()));
            states.update(key, DirectoryRemovalState::withCounted);
        }
    }

    private Outcome removeMarker(ObjectKey key, RootDirectories directories, Marker marker) throws IOException {
        directories.removeMarker(marker);
        states.forget(key);
        return Outcome.progress();
    }

    private Outcome onRoot(ObjectKey key, PersistentVolume volume, Path root, Root.Operation<RootDirectories> operation)
            throws InterruptedException {
        return roots.at(root).run(started(key), operation, e -> failed(key, volume, e));
    }

    private RootCaller started(ObjectKey key) {
        states.update(key, state -> state.started(context.time().nanos()));
        return requeue.caller(key);
    }

    private Outcome failed(ObjectKey key, PersistentVolume volume, IOException e) {
        String message = "The volume's directory could not be removed. " + e.getMessage() + ".";
        return report(key, volume, Problem.retryable(DirectoryRemovalDecision.REASON, message));
    }

    private Outcome report(ObjectKey key, PersistentVolume volume, Problem problem) {
        context.events().warning(volume, problem.reason(), "Delete", problem.message());
        metrics.deletionFailed(String.valueOf(volume.getSpec().getStorageClassName()));
        states.update(key, state -> state.withReported(problem.message()));
        return Outcome.finish(problem.result());
    }
}
