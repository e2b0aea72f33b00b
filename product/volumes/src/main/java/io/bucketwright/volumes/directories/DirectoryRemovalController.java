package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.queue.WorkQueue;
import io.bucketwright.volumes.directories.DirectoryRemovalState.Fact;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.DirectoryTree.EntryType;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.MarkerFile;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The controller of PersistentVolumes: deletes, archives or retains their directories. */
record DirectoryRemovalController(
        ControllerContext context,
        DirectorySettings settings,
        DirectoryCaches caches,
        Roots roots,
        DirectoryMetrics metrics,
        InFlightState<ObjectKey, DirectoryRemovalState> states,
        WorkQueue<ObjectKey> queue) {

    private static final Logger log = LoggerFactory.getLogger(DirectoryRemovalController.class);

    private static final String ABANDONED = DirectoryReason.DIRECTORY_ABANDONED;

    private static final Duration NODE_INTERVAL = Duration.ofMinutes(10);

    /** Registers the controller; call this before the caches start. */
    static Controller<ObjectKey> register(
            ControllerContext context,
            DirectorySettings settings,
            DirectoryCaches caches,
            Roots roots,
            DirectoryMetrics metrics) {
        WorkQueue<ObjectKey> queue = context.queue("core-pv-directories");
        DirectoryRemovalController loop = new DirectoryRemovalController(
                context, settings, caches, roots, metrics, context.inFlight(DirectoryRemovalState.INITIAL), queue);
        return context.controller(
                        queue,
                        loop::observe,
                        observed -> DirectoryRemovalDecision.decide(settings, observed),
                        loop::act)
                .inFlight(loop.states)
                .whenDone(key -> roots.forget(queue.adding(key)))
                .tenants(key -> caches.volumes
                        .get("", key.name())
                        .flatMap(volume -> Optional.ofNullable(volume.getSpec().getClaimRef()))
                        .map(ObjectReference::getNamespace))
                .watch(caches.volumes, Function.identity())
                .watchRelated(caches.claims, loop::volumesOf);
    }

    DirectoryRemovalObservation observe(ObjectKey key) {
        Optional<PersistentVolume> volume = volume(key);
        Optional<Root> root = volume.flatMap(this::rootOf);
        Optional<MarkerFile> marker = root.filter(_ -> DirectoryName.isValid(key.name()))
                .flatMap(found -> found.markers().byName(new DirectoryName(key.name())));
        return new DirectoryRemovalObservation(
                volume,
                volume.flatMap(DirectoryCaches::boundClaim)
                        .flatMap(caches::claim)
                        .isPresent(),
                marker.flatMap(MarkerFile::valid).filter(this::isUnbound).isPresent(),
                caches.clusterId(),
                root.map(Root::observation),
                marker,
                states.get(key),
                context.time().now());
    }

    /** The root of the volume's class; empty if this process has none for it. */
    private Optional<Root> rootOf(PersistentVolume volume) {
        return Optional.ofNullable(volume.getSpec().getStorageClassName())
                .flatMap(settings::rootOf)
                .map(roots::at);
    }

    private Optional<PersistentVolume> volume(ObjectKey key) {
        return caches.volumes.get("", key.name()).filter(key::names);
    }

    private boolean isUnbound(Marker marker) {
        return caches.claim(DirectoryCaches.key(marker.claim()))
                .filter(claim -> claim.getSpec().getVolumeName() == null
                        || claim.getSpec().getVolumeName().isEmpty())
                .isPresent();
    }

    /** By uid, because a claim that is deleted before it was bound names no volume; and the volume of its name. */
    private Collection<ObjectKey> volumesOf(PersistentVolumeClaim claim) {
        String name = DirectoryVolumes.name(ObjectKey.of(claim), false).text();
        return Stream.concat(
                        caches.volumesOf(claim.getMetadata().getUid()).stream(), caches.volumes.get("", name).stream())
                .map(ObjectKey::of)
                .distinct()
                .toList();
    }

    Outcome act(DirectoryRemovalStep step) throws InterruptedException {
        PersistentVolume volume = step.volume();
        return switch (step) {
            case DirectoryRemovalStep.ReportProblem(var _, var problem) -> report(volume, problem);
            case DirectoryRemovalStep.AwaitRoot _ ->
                root(volume).awaitOpen(caller(volume)) ? Outcome.progress() : Outcome.finish(Result.pending());
            case DirectoryRemovalStep.CheckMissing _ ->
                onRoot(volume, directories -> checkMissing(volume, directories));
            case DirectoryRemovalStep.CheckDirectory _ ->
                onRoot(volume, directories -> {
                    checkDirectory(volume, directories);
                    return found(volume, Fact.PRESENT);
                });
            case DirectoryRemovalStep.CheckNode(var _, var node) -> checkNode(volume, node);
            case DirectoryRemovalStep.ReportAbandoned(var _, var message) -> {
                context.events().warning(volume, ABANDONED, "Delete", message);
                log.warn("Volume {}: {}", volume.getMetadata().getName(), message);
                update(volume, state -> state.withReported(message));
                yield Outcome.progress();
            }
            case DirectoryRemovalStep.MarkDeleting(var _, var before, var after) ->
                onRoot(volume, directories -> {
                    checkDirectory(volume, directories);
                    directories.replaceMarker(before, after);
                    return Outcome.progress();
                });
            case DirectoryRemovalStep.MarkRetained(var _, var before) ->
                onRoot(volume, directories -> {
                    if (directories.replaceMarker(before, before.retained())) {
                        log.info(
                                "Retained directory {} of claim {} in root {}",
                                before.name(),
                                before.claim(),
                                root(volume).path());
                    }
                    return Outcome.progress();
                });
            case DirectoryRemovalStep.RemoveDirectory(var _, var marker) -> removeDirectory(volume, marker);
            case DirectoryRemovalStep.RemoveFinalizer _ -> {
                context.writer().merge(volume, Metadata.withoutFinalizer(volume, DirectoryAnnotations.FINALIZER));
                yield count(volume);
            }
            case DirectoryRemovalStep.DeleteVolume _ -> {
                context.writer().delete(volume);
                yield count(volume);
            }
            case DirectoryRemovalStep.RemoveMarker(var _, var marker) ->
                onRoot(volume, directories -> {
                    directories.removeMarker(marker);
                    states.forget(ObjectKey.of(volume));
                    return Outcome.progress();
                });
        };
    }

    /** A read, but only for volumes that their node's process does not delete. */
    private Outcome checkNode(PersistentVolume volume, String node) {
        if (context.reader().read(Node.class, "", node).isPresent()) {
            return Outcome.finish(Result.requeueAfter(NODE_INTERVAL));
        }
        return found(volume, Fact.NODE_MISSING);
    }

    private Outcome checkMissing(PersistentVolume volume, RootDirectories directories) throws IOException {
        if (directories.entryType(name(volume)) != EntryType.MISSING) {
            throw new IOException("The directory exists but its marker is missing, so its owner is unknown. Remove the"
                    + " directory manually");
        }
        return found(volume, Fact.MISSING);
    }

    private static void checkDirectory(PersistentVolume volume, RootDirectories directories) throws IOException {
        EntryType type = directories.entryType(name(volume));
        if (type == EntryType.OTHER) {
            throw new IOException("It is a file or a symbolic link, not a directory, and is left unchanged");
        }
        // An unmounted root has no identity and is handled before. Still, an administrator must confirm the loss.
        if (type == EntryType.MISSING && !Metadata.isBeingDeleted(volume)) {
            throw new IOException("The directory is missing, although its root is mounted. Restore it, or delete the"
                    + " volume if the directory no longer exists");
        }
    }

    private Outcome removeDirectory(PersistentVolume volume, Marker marker) throws InterruptedException {
        Root root = root(volume);
        return root.runLong(
                started(volume),
                directories -> {
                    if (!directories.remove(marker)) {
                        return Outcome.finish(Result.requeueAfter(Duration.ZERO));
                    }
                    log.info(
                            "Removed directory {} of claim {} in root {}{}",
                            marker.name(),
                            marker.claim(),
                            root.path(),
                            marker.archive().isEmpty() ? "" : "; its archive is " + marker.archive());
                    return found(volume, Fact.REMOVED);
                },
                e -> failed(volume, e));
    }

    /**
     * Counts a deletion once, with the first write that ends the volume. The marker may be removed by the controller of
     * claims instead, as soon as the volume no longer exists.
     */
    private Outcome count(PersistentVolume volume) {
        DirectoryRemovalState state = states.get(ObjectKey.of(volume));
        if (state.has(Fact.REMOVED) && !state.has(Fact.COUNTED)) {
            long now = context.time().nanos();
            metrics.deleted(
                    volume.getSpec().getStorageClassName(),
                    Duration.ofNanos(now - state.started(now).startNanos()));
            return found(volume, Fact.COUNTED);
        }
        return Outcome.progress();
    }

    private Outcome onRoot(PersistentVolume volume, Root.Operation operation) throws InterruptedException {
        return root(volume).run(started(volume), operation, e -> failed(volume, e));
    }

    /** Decisions on volumes without a root have no steps. */
    private Root root(PersistentVolume volume) {
        return rootOf(volume).orElseThrow();
    }

    private static DirectoryName name(PersistentVolume volume) {
        return new DirectoryName(volume.getMetadata().getName());
    }

    private Runnable started(PersistentVolume volume) {
        update(volume, state -> state.started(context.time().nanos()));
        return caller(volume);
    }

    private Outcome failed(PersistentVolume volume, IOException e) {
        String message = "The volume's directory could not be removed. " + e.getMessage() + ".";
        return report(volume, Problem.retryable(DirectoryRemovalDecision.REASON, message));
    }

    private Outcome report(PersistentVolume volume, Problem problem) {
        context.events().warning(volume, problem.reason(), "Delete", problem.message());
        metrics.deletionFailed(String.valueOf(volume.getSpec().getStorageClassName()));
        update(volume, state -> state.withReported(problem.message()));
        return Outcome.finish(problem.result());
    }

    private Outcome found(PersistentVolume volume, Fact fact) {
        update(volume, state -> state.with(fact));
        return Outcome.progress();
    }

    private void update(PersistentVolume volume, UnaryOperator<DirectoryRemovalState> change) {
        states.update(ObjectKey.of(volume), change);
    }

    private Runnable caller(PersistentVolume volume) {
        return queue.adding(ObjectKey.of(volume));
    }
}
