package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.metrics.StatusLabels;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.queue.WorkQueue;
import io.bucketwright.volumes.directories.DirectoryClaimState.Progress;
import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.classes.DirectoryClass.ProjectQuota;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.classes.ResolvedClass;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.DirectoryTree.EntryType;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.SystemCallException;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The controller of PersistentVolumeClaims: provisions their directories and volumes.
 *
 * @param hostname the node's label {@code kubernetes.io/hostname}, for local volumes
 */
record DirectoryClaimController(
        ControllerContext context,
        DirectorySettings settings,
        DirectoryCaches caches,
        Roots roots,
        DirectoryMetrics metrics,
        Supplier<String> hostname,
        InFlightState<ObjectKey, DirectoryClaimState> states,
        WorkQueue<ObjectKey> queue) {

    private static final Logger log = LoggerFactory.getLogger(DirectoryClaimController.class);

    private static final String CLAIM = "PersistentVolumeClaim";

    private interface DirectoryChange {
        void apply(RootDirectories directories, Marker marker) throws IOException;
    }

    /** Registers the controller; call this before the caches start. */
    static Controller<ObjectKey> register(
            ControllerContext context,
            DirectorySettings settings,
            DirectoryCaches caches,
            Roots roots,
            DirectoryMetrics metrics,
            Supplier<String> hostname) {
        WorkQueue<ObjectKey> queue = context.queue("core-pvc-directories");
        DirectoryClaimController loop = new DirectoryClaimController(
                context,
                settings,
                caches,
                roots,
                metrics,
                hostname,
                context.inFlight(DirectoryClaimState.INITIAL),
                queue);
        context.metrics().claims(CLAIM, loop::claims);
        context.metrics().claims("PersistentVolume", loop::volumes);
        return context.controller(
                        queue,
                        loop::observe,
                        observed -> new DirectoryClaimDecision(settings, observed).decide(),
                        loop::act)
                .inFlight(loop.states)
                .whenDone(key -> roots.forget(queue.adding(key)))
                .watch(caches.claims, Function.identity())
                .watchRelated(caches.volumes, loop::claimsOf)
                .watchRelated(caches.classes, caches::claimsOf);
    }

    /** What the metrics count in the caches. */
    private Stream<StatusLabels> claims() {
        return caches.claims.list().stream()
                .filter(this::isServed)
                .map(claim -> StatusLabels.of(
                        claim,
                        states.find(ObjectKey.of(claim))
                                .filter(state -> !state.reported().isEmpty())
                                .map(_ -> DirectoryClaimDecision.REASON)
                                .orElse(StatusLabels.NO_REASON)));
    }

    /** A process of one node counts only the claims of that node. */
    private boolean isServed(PersistentVolumeClaim claim) {
        boolean here = settings.node().isEmpty()
                || settings.node().equals(Metadata.annotation(claim, DirectoryAnnotations.SELECTED_NODE));
        return here
                && settings.servesNamespace(claim.getMetadata().getNamespace())
                && !(caches.classOf(claim) instanceof ResolvedClass.NotServed);
    }

    private Stream<StatusLabels> volumes() {
        return caches.volumes.list().stream()
                .filter(volume -> DirectoryAnnotations.isServed(volume, settings))
                .map(volume -> StatusLabels.of(volume, StatusLabels.NO_REASON));
    }

    DirectoryClaimObservation observe(ObjectKey key) {
        Optional<PersistentVolumeClaim> claim = caches.claim(key);
        ResolvedClass storageClass = claim.map(caches::classOf).orElseGet(ResolvedClass.NotServed::new);
        Optional<DirectoryClass> served = storageClass instanceof ResolvedClass.Served(DirectoryClass directoryClass)
                ? Optional.of(directoryClass)
                : Optional.empty();
        Optional<Root> root = served.map(directoryClass -> roots.at(directoryClass.root()));
        Optional<DirectoryName> name =
                served.map(directoryClass -> DirectoryVolumes.name(key, directoryClass.namedByUid()));
        Optional<MarkerLocation> ownMarker = roots.markerOfClaim(key.uid());
        return new DirectoryClaimObservation(
                key,
                claim,
                storageClass,
                caches.clusterId(),
                caches.namespaceUid(key.namespace()).orElse(""),
                caches.volumesOf(key.uid()),
                name.flatMap(wanted -> caches.volumes.get("", wanted.text())),
                root.map(Root::observation).orElse(RootObservation.NONE),
                name.flatMap(wanted -> root.flatMap(opened -> opened.markers().byName(wanted))),
                ownMarker,
                ownMarker.flatMap(
                        found -> caches.volumes.get("", found.marker().name().text())),
                claim.flatMap(found -> root.flatMap(
                        opened -> opened.markers().byVolume(found.getSpec().getVolumeName()))),
                root.map(opened -> opened.markers().requestedByOthers(key.uid()))
                        .orElse(0L),
                context.time().nanos(),
                states.get(key));
    }

    /**
     * Includes the claim that the volume was created for: a volume that was released and bound again refers to another one.
     * Also the claim of the marker with the volume's name: it may have taken the directory over before the volume existed.
     */
    private Collection<ObjectKey> claimsOf(PersistentVolume volume) {
        String claimUid = Metadata.annotation(volume, DirectoryAnnotations.CLAIM_UID);
        List<ObjectKey> keys = new ArrayList<>(caches.claimsOf(volume));
        Stream.concat(
                        roots.markerOfClaim(claimUid).map(MarkerLocation::marker).stream(),
                        roots.markersOfVolume(volume.getMetadata().getName()))
                .map(marker -> DirectoryCaches.key(marker.claim()))
                .forEach(keys::add);
        return keys;
    }

    Outcome act(DirectoryClaimStep step) throws InterruptedException {
        return switch (step) {
            case DirectoryClaimStep.ReportProblem(var claim, var problem) -> report(claim, problem);
            case DirectoryClaimStep.AwaitRoot(var claim, var root) ->
                roots.at(root).awaitOpen(queue.adding(ObjectKey.of(claim)))
                        ? Outcome.progress()
                        : Outcome.finish(Result.pending());
            case DirectoryClaimStep.AwaitNodeProcess(var claim) -> {
                update(claim, state -> state.started(context.time().nanos()));
                yield Outcome.finish(Result.requeueAfter(DirectoryClaimDecision.NODE_PROCESS));
            }
            case DirectoryClaimStep.CreateMarker(var request) ->
                onRoot(request, directories -> createMarker(request, directories));
            case DirectoryClaimStep.AwaitRoom(var request) ->
                roots.at(request.directoryClass().root())
                                .markers()
                                .awaitRoom(
                                        queue.adding(ObjectKey.of(request.claim())),
                                        request.marker(),
                                        request.directoryClass().rootBudget())
                        ? Outcome.progress()
                        : Outcome.finish(Result.pending());
            case DirectoryClaimStep.ReplaceMarker(var request, var before) ->
                onRoot(request, directories -> replaceMarker(request, before, directories));
            case DirectoryClaimStep.CreateDirectory(var request) ->
                change(request, RootDirectories::create, Progress.CREATED);
            case DirectoryClaimStep.SetOwner(var request) -> change(request, RootDirectories::setOwner, Progress.OWNED);
            case DirectoryClaimStep.SetQuota(var request) ->
                onRoot(request, directories -> setQuota(request, directories));
            case DirectoryClaimStep.CreateVolume(var request) -> createVolume(request);
            case DirectoryClaimStep.RestoreOwner restore -> restoreOwner(restore);
            case DirectoryClaimStep.RecordBinding(var claim, var volume) -> {
                context.writer()
                        .patch(
                                volume,
                                JsonPatch.empty()
                                        .add(
                                                JsonPatch.path(
                                                        "metadata",
                                                        "annotations",
                                                        DirectoryAnnotations.BOUND_CLAIM_UID),
                                                claim.getMetadata().getUid()));
                yield Outcome.progress();
            }
            case DirectoryClaimStep.ConfirmUnused confirm -> confirmUnused(confirm);
            case DirectoryClaimStep.RemoveUnused(var location, var ifNotEmpty) ->
                roots.at(location.root())
                        .run(
                                caller(location),
                                directories -> removeUnused(location, ifNotEmpty, directories),
                                e -> notRemoved(location, e));
            case DirectoryClaimStep.CompleteDeletion(var location, var confirmed) ->
                roots.at(location.root())
                        .runLong(
                                caller(location),
                                directories -> completeDeletion(location, confirmed, directories),
                                e -> notRemoved(location, e));
        };
    }

    private static Outcome createMarker(DirectoryRequest request, RootDirectories directories) throws IOException {
        DirectoryName name = request.marker().name();
        if (request.directoryClass().requireMountPoint()) {
            directories.requireMountPoint();
        }
        if (request.directoryClass().quota() == ProjectQuota.REQUIRE && !directories.enforcesQuota()) {
            throw new IOException(DirectoryClaimDecision.quotaRequired(request.directoryClass()));
        }
        if (directories.entryType(name) != EntryType.MISSING) {
            if (directories.readMarker(name)) {
                return Outcome.progress();
            }
            throw new IOException(name + " already exists in the root and has no marker, so its owner is unknown and it"
                    + " is not used. Check it, then move or remove it");
        }
        directories.createMarker(request.marker(), request.directoryClass().rootBudget());
        // If it was not created, the next observation shows the marker or the exhausted budget.
        return Outcome.progress();
    }

    private Outcome restoreOwner(DirectoryClaimStep.RestoreOwner step) throws InterruptedException {
        return onRoot(step.claim(), step.root(), directories -> {
            if (step.before().equals(step.after()) || directories.replaceMarker(step.before(), step.after())) {
                directories.setOwner(step.after());
                update(step.claim(), state -> state.with(step.after(), Progress.OWNED));
            }
            return Outcome.progress();
        });
    }

    private static Outcome replaceMarker(DirectoryRequest request, Marker before, RootDirectories directories)
            throws IOException {
        Marker marker = request.marker();
        boolean taken = !before.claim().uid().equals(marker.claim().uid());
        if (taken && before.state() == Marker.State.IN_USE && directories.removeIfEmpty(before)) {
            // The earlier claim never used it.
            directories.removeMarker(before);
            return Outcome.progress();
        }
        if (directories.replaceMarker(before, marker) && taken) {
            log.info(
                    "Directory {} of claim {} is used again by claim {}",
                    marker.name(),
                    before.claim(),
                    marker.claim());
        }
        return Outcome.progress();
    }

    private Outcome setQuota(DirectoryRequest request, RootDirectories directories) throws IOException {
        Progress progress = Progress.UNLIMITED;
        try {
            progress = directories.setQuota(request.marker()) ? Progress.LIMITED : Progress.UNLIMITED;
        } catch (SystemCallException e) {
            if (request.directoryClass().quota() == ProjectQuota.REQUIRE) {
                throw e;
            }
            log.warn(
                    "The size of directory {} is not enforced. {}",
                    request.marker().name(),
                    e.getMessage());
        }
        return progress(request, progress);
    }

    private Outcome createVolume(DirectoryRequest request) {
        String storageClass = request.directoryClass().name();
        try {
            context.writer()
                    .create(DirectoryVolumes.of(
                            request.marker(),
                            request.directoryClass(),
                            request.claim(),
                            request.deletes(),
                            hostname.get()));
        } catch (ApiException e) {
            metrics.provisioningFailed(storageClass);
            if (!(e.error() instanceof ApiError.AlreadyExists)) {
                warn(request.claim(), "The volume could not be created. " + e.getMessage());
            }
            throw e;
        }
        context.events()
                .normal(
                        request.claim(),
                        DirectoryReason.PROVISIONING_SUCCEEDED,
                        "Provision",
                        "Successfully provisioned volume " + request.marker().name());
        ObjectKey key = ObjectKey.of(request.claim());
        long now = context.time().nanos();
        long start = states.get(key).started(now).startNanos();
        metrics.provisioned(storageClass, Duration.ofNanos(now - start));
        context.metrics().bound(CLAIM, request.claim(), context.time().now());
        states.forget(key);
        return Outcome.progress();
    }

    private Outcome change(DirectoryRequest request, DirectoryChange change, Progress progress)
            throws InterruptedException {
        return onRoot(request, directories -> {
            change.apply(directories, request.marker());
            return progress(request, progress);
        });
    }

    private Outcome progress(DirectoryRequest request, Progress progress) {
        update(request.claim(), state -> state.with(request.marker(), progress));
        return Outcome.progress();
    }

    private Outcome onRoot(DirectoryRequest request, Root.Operation operation) throws InterruptedException {
        return onRoot(request.claim(), request.directoryClass().root(), operation);
    }

    private Outcome onRoot(PersistentVolumeClaim claim, Path root, Root.Operation operation)
            throws InterruptedException {
        update(claim, state -> state.started(context.time().nanos()));
        return roots.at(root)
                .run(
                        queue.adding(ObjectKey.of(claim)),
                        operation,
                        e -> report(
                                claim,
                                Problem.retryable(
                                        DirectoryClaimDecision.REASON,
                                        "The directory could not be prepared. " + e.getMessage() + ".")));
    }

    private Outcome report(PersistentVolumeClaim claim, Problem problem) {
        context.events().warning(claim, problem.reason(), "Provision", problem.message());
        metrics.provisioningFailed(String.valueOf(claim.getSpec().getStorageClassName()));
        update(claim, state -> state.withReported(problem.message()));
        return Outcome.finish(problem.result());
    }

    private void warn(PersistentVolumeClaim claim, String message) {
        context.events().warning(claim, DirectoryClaimDecision.REASON, "Provision", message);
    }

    private void update(PersistentVolumeClaim claim, UnaryOperator<DirectoryClaimState> change) {
        states.update(ObjectKey.of(claim), change);
    }

    /** The read before content is destroyed. Claims that are provisioned and deleted as usual need none. */
    private Outcome confirmUnused(DirectoryClaimStep.ConfirmUnused step) {
        String name = step.marker().name().text();
        if (context.reader().read(PersistentVolume.class, "", name).isPresent()) {
            return Outcome.finish(Result.retry(
                    "Volume " + name + " exists, but the cache does not show it yet; its directory is left unchanged"));
        }
        states.update(step.key(), state -> state.with(step.marker(), Progress.UNUSED));
        return Outcome.progress();
    }

    /** Removes what was created for a claim that has no volume. */
    private Outcome removeUnused(MarkerLocation location, Result ifNotEmpty, RootDirectories directories)
            throws IOException {
        Marker marker = location.marker();
        if (directories.entryType(marker.name()) == EntryType.OTHER || !directories.removeIfEmpty(marker)) {
            if (ifNotEmpty instanceof Result.Done) {
                log.warn(
                        "Directory {} in root {} has neither claim nor volume but is not empty, so it is kept. It was"
                                + " created for claim {}. See bucketwright directory list, keep and remove",
                        marker.name(),
                        location.root(),
                        marker.claim());
            } else {
                states.update(DirectoryCaches.key(marker.claim()), DirectoryClaimState::restarted);
            }
            return Outcome.finish(ifNotEmpty);
        }
        directories.removeMarker(marker);
        log.info(
                "Removed directory {} of claim {} in root {}: it was empty and had no volume",
                marker.name(),
                marker.claim(),
                location.root());
        return Outcome.progress();
    }

    private Outcome completeDeletion(MarkerLocation location, boolean confirmed, RootDirectories directories)
            throws IOException {
        Marker marker = location.marker();
        if (!confirmed && directories.entryType(marker.name()) != EntryType.MISSING) {
            states.update(DirectoryCaches.key(marker.claim()), state -> state.with(marker, Progress.TO_CONFIRM));
            return Outcome.progress();
        }
        if (!directories.remove(marker)) {
            return Outcome.finish(Result.requeueAfter(Duration.ZERO));
        }
        log.info(
                "Completed the removal of directory {} of claim {} in root {}{}",
                marker.name(),
                marker.claim(),
                location.root(),
                marker.archive().isEmpty() ? "" : "; its archive is " + marker.archive());
        directories.removeMarker(marker);
        return Outcome.progress();
    }

    private static Outcome notRemoved(MarkerLocation location, IOException e) {
        return Outcome.finish(
                Result.retry("Directory " + location.marker().name() + " could not be removed. " + e.getMessage()));
    }

    private Runnable caller(MarkerLocation location) {
        return queue.adding(DirectoryCaches.key(location.marker().claim()));
    }
}
