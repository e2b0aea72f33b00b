package io.bucketwright.volumes.directories.provisioning;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.classes.DirectoryClass.ProjectQuota;
import io.bucketwright.volumes.directories.classes.DirectoryClasses;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.classes.ResolvedClass;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.DirectoryTree.EntryType;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.SystemCallException;
import io.bucketwright.volumes.directories.metrics.DirectoryMetrics;
import io.bucketwright.volumes.directories.objects.DirectoryAnnotations;
import io.bucketwright.volumes.directories.objects.DirectoryCaches;
import io.bucketwright.volumes.directories.objects.DirectoryReason;
import io.bucketwright.volumes.directories.objects.DirectoryVolumes;
import io.bucketwright.volumes.directories.objects.VolumeNaming;
import io.bucketwright.volumes.directories.provisioning.DirectoryClaimState.Progress;
import io.bucketwright.volumes.directories.roots.MarkerLocation;
import io.bucketwright.volumes.directories.roots.RequeueTarget;
import io.bucketwright.volumes.directories.roots.Root;
import io.bucketwright.volumes.directories.roots.RootDirectories;
import io.bucketwright.volumes.directories.roots.RootState;
import io.bucketwright.volumes.directories.roots.Roots;
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
public record DirectoryClaimController(
        ControllerContext context,
        DirectorySettings settings,
        DirectoryCaches caches,
        DirectoryClasses classes,
        Roots roots,
        DirectoryMetrics metrics,
        Supplier<String> hostname,
        InFlightState<ObjectKey, DirectoryClaimState> states,
        RequeueTarget<ObjectKey> requeue) {

    private static final Logger log = LoggerFactory.getLogger(DirectoryClaimController.class);

    private interface DirectoryChange {
        void apply(RootDirectories directories, Marker marker) throws IOException;
    }

    /** Registers the controller; call this before the caches start. */
    public static Controller<ObjectKey> register(
            ControllerContext context,
            DirectorySettings settings,
            DirectoryCaches caches,
            Roots roots,
            DirectoryMetrics metrics,
            Supplier<String> hostname) {
        RequeueTarget<ObjectKey> requeue = new RequeueTarget<>();
        DirectoryClaimController loop = new DirectoryClaimController(
                context,
                settings,
                caches,
                new DirectoryClasses(caches.classes, settings),
                roots,
                metrics,
                hostname,
                context.inFlight(DirectoryClaimState.INITIAL),
                requeue);
        new DirectoryClaimMetrics(settings, caches, loop.classes, loop.states).register(context.metrics());
        return requeue.connect(context.controller("directory-claims", loop::observe, loop::decide, loop::act))
                .watch(caches.claims, Function.identity())
                .watchRelated(caches.volumes, loop::claimsOf)
                .watchRelated(caches.classes, caches::claimsOf);
    }

    DirectoryClaimObservation observe(ObjectKey key) {
        Optional<PersistentVolumeClaim> claim =
                caches.claims.get(key.namespace(), key.name()).filter(key::names);
        ResolvedClass storageClass = claim.map(found -> found.getSpec().getStorageClassName())
                .filter(name -> !name.isEmpty())
                .map(classes::resolve)
                .orElseGet(ResolvedClass.NotServed::new);
        Optional<DirectoryClass> served = storageClass instanceof ResolvedClass.Served(DirectoryClass directoryClass)
                ? Optional.of(directoryClass)
                : Optional.empty();
        Optional<Root> root = served.map(directoryClass -> roots.at(directoryClass.root()));
        Optional<DirectoryName> name = served.map(directoryClass -> VolumeNaming.of(key, directoryClass.namedByUid()));
        Optional<MarkerLocation> ownMarker = roots.markerOfClaim(key.uid());
        return new DirectoryClaimObservation(
                key,
                claim,
                storageClass,
                caches.clusterId(),
                caches.namespaceUid(key.namespace()).orElse(""),
                caches.volumesOf(key.uid()),
                name.flatMap(wanted -> caches.volumes.get("", wanted.text())),
                root.map(Root::state).orElseGet(RootState.NotOpened::new),
                root.flatMap(Root::hanging),
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

    /** The result {@code Done} of a step only means to wait for the disk; only this decision ends the work on a key. */
    Decision<DirectoryClaimStep> decide(DirectoryClaimObservation observed) {
        Decision<DirectoryClaimStep> next = new DirectoryClaimDecision(settings, observed).decide();
        if (next.equals(Decision.done())) {
            states.forget(observed.key());
            roots.forget(requeue.caller(observed.key()));
        }
        return next;
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
                roots.at(root).awaitOpen(requeue.caller(ObjectKey.of(claim)))
                        ? Outcome.progress()
                        : Outcome.finish(Result.done());
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
                                        requeue.caller(ObjectKey.of(request.claim())),
                                        request.marker(),
                                        request.directoryClass().rootBudget())
                        ? Outcome.progress()
                        : Outcome.finish(Result.done());
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
            case DirectoryClaimStep.ConfirmUnused confirm -> unused().confirm(confirm);
            case DirectoryClaimStep.RemoveUnused(var location, var ifNotEmpty) -> unused().remove(location, ifNotEmpty);
            case DirectoryClaimStep.CompleteDeletion(var location, var confirmed) ->
                unused().completeDeletion(location, confirmed);
        };
    }

    private UnusedDirectories unused() {
        return new UnusedDirectories(context.reader(), roots, states, requeue);
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
        context.metrics()
                .bound(
                        DirectoryClaimMetrics.CLAIM,
                        request.claim(),
                        context.time().now());
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

    private Outcome onRoot(DirectoryRequest request, Root.Operation<RootDirectories> operation)
            throws InterruptedException {
        return onRoot(request.claim(), request.directoryClass().root(), operation);
    }

    private Outcome onRoot(PersistentVolumeClaim claim, Path root, Root.Operation<RootDirectories> operation)
            throws InterruptedException {
        update(claim, state -> state.started(context.time().nanos()));
        return roots.at(root)
                .run(
                        requeue.caller(ObjectKey.of(claim)),
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
}
