package io.bucketwright.volumes.directories.provisioning;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.volumes.directories.classes.DirectoryClass.ProjectQuota;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.DirectoryTree.EntryType;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.SystemCallException;
import io.bucketwright.volumes.directories.metrics.DirectoryMetrics;
import io.bucketwright.volumes.directories.objects.DirectoryVolumes;
import io.bucketwright.volumes.directories.roots.MarkerLocation;
import io.bucketwright.volumes.directories.roots.RootCaller;
import io.bucketwright.volumes.directories.roots.RootDirectories;
import io.bucketwright.volumes.directories.roots.RootOperation;
import io.bucketwright.volumes.directories.roots.Roots;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Executes the steps. */
final class DirectoryClaimActs {

    private static final Logger log = LoggerFactory.getLogger(DirectoryClaimActs.class);

    private interface DirectoryChange {
        void apply(RootDirectories directories, Marker marker) throws IOException;
    }

    private final ControllerContext context;
    private final Roots roots;
    private final DirectoryMetrics metrics;
    private final ApiWriter writer;
    private final Supplier<String> hostname;
    private final Consumer<ObjectKey> queue;
    private final Map<ObjectKey, DirectoryClaimState> states = new ConcurrentHashMap<>();

    DirectoryClaimActs(
            ControllerContext context,
            Roots roots,
            DirectoryMetrics metrics,
            Supplier<String> hostname,
            Consumer<ObjectKey> queue) {
        this.context = context;
        this.roots = roots;
        this.metrics = metrics;
        this.writer = context.connection().writer(context.leadership(), context.caches());
        this.hostname = hostname;
        this.queue = queue;
    }

    DirectoryClaimState state(ObjectKey key) {
        return states.getOrDefault(
                key, DirectoryClaimState.initial(context.time().nanos()));
    }

    void forget(ObjectKey key) {
        states.remove(key);
    }

    Outcome act(DirectoryClaimStep step) throws InterruptedException {
        return switch (step) {
            case DirectoryClaimStep.ReportProblem report -> {
                reportProblem(report.key(), report.claim(), report.storageClass(), report.message());
                yield Outcome.finish(report.then());
            }
            case DirectoryClaimStep.AwaitRoot(var key, var root) ->
                roots.at(root).awaitOpen(RootCaller.of(key, queue))
                        ? Outcome.progress()
                        : Outcome.finish(Result.done());
            case DirectoryClaimStep.CreateMarker(var key, var request) ->
                onRoot(key, request, directories -> createMarker(key, request, directories));
            case DirectoryClaimStep.ReplaceMarker(var key, var request, var before) ->
                onRoot(key, request, directories -> {
                    directories.replaceMarker(before, request.marker());
                    return Outcome.progress();
                });
            case DirectoryClaimStep.CreateDirectory(var key, var request) ->
                change(key, request, RootDirectories::create, state -> state.withCreated(request.marker()));
            case DirectoryClaimStep.SetOwner(var key, var request) ->
                change(key, request, RootDirectories::setOwner, state -> state.withOwned(request.marker()));
            case DirectoryClaimStep.SetQuota(var key, var request) ->
                onRoot(key, request, directories -> setQuota(key, request, directories));
            case DirectoryClaimStep.CreateVolume(var key, var request) -> createVolume(key, request);
            case DirectoryClaimStep.RemoveUnused(var key, var location) ->
                roots.at(location.root())
                        .run(
                                RootCaller.of(key, queue),
                                directories -> removeUnused(location, directories),
                                e -> removalFailed(location, e));
            case DirectoryClaimStep.CompleteDeletion(var key, var location) ->
                roots.at(location.root())
                        .runLong(
                                RootCaller.of(key, queue),
                                directories -> completeDeletion(location.marker(), directories),
                                e -> removalFailed(location, e));
        };
    }

    private Outcome createMarker(ObjectKey key, DirectoryRequest request, RootDirectories directories)
            throws IOException {
        update(key, state -> state);
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
        boolean enforced = false;
        try {
            enforced = directories.setQuota(request.marker());
        } catch (SystemCallException e) {
            if (request.directoryClass().quota() == ProjectQuota.REQUIRE) {
                throw e;
            }
            log.warn("The size of directory {} is not enforced. {}", request.marker().name(), e.getMessage());
        }
        boolean byFileSystem = enforced;
        update(key, state -> state.withLimited(request.marker(), byFileSystem));
        return Outcome.progress();
    }

    private Outcome createVolume(ObjectKey key, DirectoryRequest request) {
        String storageClass = request.directoryClass().name();
        try {
            writer.create(DirectoryVolumes.of(
                    request.marker(), request.directoryClass(), request.claim(), request.deletes(), hostname.get()));
        } catch (ApiException e) {
            metrics.provisioningFailed(storageClass);
            if (!(e.error() instanceof ApiError.AlreadyExists)) {
                warn(request.claim(), "Creating the volume failed: " + e.getMessage());
            }
            throw e;
        }
        context.events()
                .normal(
                        request.claim(),
                        "ProvisioningSucceeded",
                        "Provision",
                        "Successfully provisioned volume " + request.marker().name());
        metrics.provisioned(
                storageClass,
                Duration.ofNanos(context.time().nanos() - state(key).startNanos()));
        forget(key);
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
        return Outcome.finish(Result.retry(
                "Directory " + location.marker().name() + " could not be removed. " + e.getMessage()));
    }

    private Outcome change(
            ObjectKey key,
            DirectoryRequest request,
            DirectoryChange change,
            UnaryOperator<DirectoryClaimState> done)
            throws InterruptedException {
        return onRoot(key, request, directories -> {
            change.apply(directories, request.marker());
            update(key, done);
            return Outcome.progress();
        });
    }

    private Outcome onRoot(ObjectKey key, DirectoryRequest request, RootOperation operation)
            throws InterruptedException {
        return roots.at(request.directoryClass().root()).run(RootCaller.of(key, queue), operation, e -> {
            String message = "The directory could not be created. " + e.getMessage() + ".";
            reportProblem(key, request.claim(), request.directoryClass().name(), message);
            return Outcome.finish(Result.retry(message));
        });
    }

    private void reportProblem(ObjectKey key, PersistentVolumeClaim claim, String storageClass, String message) {
        warn(claim, message);
        metrics.provisioningFailed(storageClass);
        update(key, state -> state.withReported(message));
    }

    private void warn(PersistentVolumeClaim claim, String message) {
        context.events().warning(claim, "ProvisioningFailed", "Provision", message);
    }

    private void update(ObjectKey key, UnaryOperator<DirectoryClaimState> change) {
        states.compute(
                key,
                (_, old) -> change.apply(
                        old == null
                                ? DirectoryClaimState.initial(context.time().nanos())
                                : old));
    }
}
