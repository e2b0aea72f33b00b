package io.bucketwright.volumes.directories.provisioning;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.volumes.directories.classes.DirectoryClass.ProjectQuota;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.DirectoryTree.EntryType;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.SystemCallException;
import io.bucketwright.volumes.directories.metrics.DirectoryMetrics;
import io.bucketwright.volumes.directories.objects.DirectoryVolumes;
import io.bucketwright.volumes.directories.provisioning.DirectoryClaimState.Progress;
import io.bucketwright.volumes.directories.roots.MarkerLocation;
import io.bucketwright.volumes.directories.roots.RequeueTarget;
import io.bucketwright.volumes.directories.roots.Root;
import io.bucketwright.volumes.directories.roots.RootDirectories;
import io.bucketwright.volumes.directories.roots.Roots;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Executes the steps. */
record DirectoryClaimActs(
        ControllerContext context,
        Roots roots,
        DirectoryMetrics metrics,
        Supplier<String> hostname,
        InFlightState<ObjectKey, DirectoryClaimState> states,
        RequeueTarget<ObjectKey> requeue) {

    private static final Logger log = LoggerFactory.getLogger(DirectoryClaimActs.class);

    private interface DirectoryChange {
        void apply(RootDirectories directories, Marker marker) throws IOException;
    }

    Outcome act(DirectoryClaimStep step) throws InterruptedException {
        return switch (step) {
            case DirectoryClaimStep.ReportProblem(var key, var claim, var problem) -> report(key, claim, problem);
            case DirectoryClaimStep.AwaitRoot(var key, var root) ->
                roots.at(root).awaitOpen(requeue.caller(key)) ? Outcome.progress() : Outcome.finish(Result.done());
            case DirectoryClaimStep.CreateMarker(var key, var request) ->
                onRoot(key, request, directories -> createMarker(request, directories));
            case DirectoryClaimStep.ReplaceMarker(var key, var request, var before) ->
                onRoot(key, request, directories -> {
                    directories.replaceMarker(before, request.marker());
                    return Outcome.progress();
                });
            case DirectoryClaimStep.CreateDirectory(var key, var request) ->
                change(key, request, RootDirectories::create, Progress.CREATED);
            case DirectoryClaimStep.SetOwner(var key, var request) ->
                change(key, request, RootDirectories::setOwner, Progress.OWNED);
            case DirectoryClaimStep.SetQuota(var key, var request) ->
                onRoot(key, request, directories -> setQuota(key, request, directories));
            case DirectoryClaimStep.CreateVolume(var key, var request) -> createVolume(key, request);
            case DirectoryClaimStep.RemoveUnused(var key, var location) ->
                roots.at(location.root())
                        .run(
                                requeue.caller(key),
                                directories -> removeUnused(location, directories),
                                e -> removalFailed(location, e));
            case DirectoryClaimStep.CompleteDeletion(var key, var location) ->
                roots.at(location.root())
                        .runLong(
                                requeue.caller(key),
                                directories -> completeDeletion(location.marker(), directories),
                                e -> removalFailed(location, e));
        };
    }

    private static Outcome createMarker(DirectoryRequest request, RootDirectories directories) throws IOException {
        DirectoryName name = request.marker().name();
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

    private Outcome setQuota(ObjectKey key, DirectoryRequest request, RootDirectories directories) throws IOException {
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
        return progress(key, request, progress);
    }

    private Outcome createVolume(ObjectKey key, DirectoryRequest request) {
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
                        "ProvisioningSucceeded",
                        "Provision",
                        "Successfully provisioned volume " + request.marker().name());
        long now = context.time().nanos();
        long start = states.get(key).started(now).startNanos();
        metrics.provisioned(storageClass, Duration.ofNanos(now - start));
        states.forget(key);
        return Outcome.progress();
    }

    private static Outcome removeUnused(MarkerLocation location, RootDirectories directories) throws IOException {
        Marker marker = location.marker();
        if (directories.entryType(marker.name()) == EntryType.OTHER || !directories.removeIfEmpty(marker)) {
            log.warn(
                    "Directory {} in root {} has neither claim nor volume but is not empty, so it is kept. It was created"
                            + " for claim {}",
                    marker.name(),
                    location.root(),
                    marker.claim());
            return Outcome.finish(Result.done());
        }
        directories.removeMarker(marker);
        return Outcome.progress();
    }

    private static Outcome completeDeletion(Marker marker, RootDirectories directories) throws IOException {
        if (!directories.remove(marker)) {
            return Outcome.finish(Result.requeueAfter(Duration.ZERO));
        }
        directories.removeMarker(marker);
        return Outcome.progress();
    }

    private static Outcome removalFailed(MarkerLocation location, IOException e) {
        return Outcome.finish(
                Result.retry("Directory " + location.marker().name() + " could not be removed. " + e.getMessage()));
    }

    private Outcome change(ObjectKey key, DirectoryRequest request, DirectoryChange change, Progress progress)
            throws InterruptedException {
        return onRoot(key, request, directories -> {
            change.apply(directories, request.marker());
            return progress(key, request, progress);
        });
    }

    private Outcome progress(ObjectKey key, DirectoryRequest request, Progress progress) {
        states.update(key, state -> state.with(request.marker(), progress));
        return Outcome.progress();
    }

    private Outcome onRoot(ObjectKey key, DirectoryRequest request, Root.Operation<RootDirectories> operation)
            throws InterruptedException {
        states.update(key, state -> state.started(context.time().nanos()));
        return roots.at(request.directoryClass().root())
                .run(
                        requeue.caller(key),
                        operation,
                        e -> report(
                                key,
                                request.claim(),
                                Problem.retryable(
                                        DirectoryClaimDecision.REASON,
                                        "The directory could not be created. " + e.getMessage() + ".")));
    }

    private Outcome report(ObjectKey key, PersistentVolumeClaim claim, Problem problem) {
        warn(claim, problem.message());
        metrics.provisioningFailed(String.valueOf(claim.getSpec().getStorageClassName()));
        states.update(key, state -> state.withReported(problem.message()));
        return Outcome.finish(problem.result());
    }

    private void warn(PersistentVolumeClaim claim, String message) {
        context.events().warning(claim, DirectoryClaimDecision.REASON, "Provision", message);
    }
}
