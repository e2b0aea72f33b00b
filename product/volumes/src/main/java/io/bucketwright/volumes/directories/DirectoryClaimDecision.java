package io.bucketwright.volumes.directories;

import static io.bucketwright.runtime.objects.Metadata.annotation;
import static io.bucketwright.runtime.objects.Metadata.isBeingDeleted;

import io.bucketwright.runtime.ObjectSize;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.SafeText;
import io.bucketwright.volumes.directories.DirectoryClaimState.Progress;
import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.classes.DirectoryClass.ProjectQuota;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.classes.ResolvedClass;
import io.bucketwright.volumes.directories.classes.StorageSize;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.Marker.State;
import io.bucketwright.volumes.directories.files.MarkerFile;
import io.bucketwright.volumes.directories.files.RootIdentity;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The decision on the next step for a claim. Pure. */
record DirectoryClaimDecision(DirectorySettings settings, DirectoryClaimObservation observed) {

    /** How long the process on the selected node has to create the volume before its absence is reported. */
    static final Duration NODE_PROCESS = Duration.ofSeconds(60);

    static final String REASON = DirectoryReason.PROVISIONING_FAILED;

    private static final Duration CACHE_LAG = Duration.ofMillis(200);

    Decision<DirectoryClaimStep> decide() {
        if (!settings.servesNamespace(observed.key().namespace())) {
            return Decision.done();
        }
        if (observed.claim().isEmpty()) {
            return cleanUp();
        }
        PersistentVolumeClaim claim = observed.claim().get();
        String bound = claim.getSpec().getVolumeName();
        if (bound != null && !bound.isEmpty()) {
            boolean boundToAnother = observed.ownMarker()
                    .filter(location -> !location.marker().name().text().equals(bound))
                    .isPresent();
            if (boundToAnother) {
                return cleanUp();
            }
            return ObjectSize.isTooLarge(claim) ? Decision.done() : bound(claim);
        }
        if (isBeingDeleted(claim) || !observed.volumes().isEmpty()) {
            return Decision.done();
        }
        return switch (observed.storageClass()) {
            case ResolvedClass.NotServed() -> Decision.done();
            case ResolvedClass.Invalid(String provisioner, String problem) ->
                isAssignedTo(claim, provisioner)
                        ? requiresChange(
                                "Class " + claim.getSpec().getStorageClassName() + " is invalid: " + problem + ".")
                        : Decision.done();
            case ResolvedClass.NodeLocal(String provisioner) ->
                isAssignedTo(claim, provisioner) ? awaitNode(claim) : Decision.done();
            case ResolvedClass.Served(DirectoryClass served) ->
                isAssignedTo(claim, served.provisioner()) && isNodeSelected(claim, served)
                        ? provision(claim, served)
                        : Decision.done();
        };
    }

    /** Nothing to do if the claim is not bound to a volume of this provisioner. */
    private Decision<DirectoryClaimStep> bound(PersistentVolumeClaim claim) {
        return observed.volumes().stream()
                .filter(volume ->
                        volume.getMetadata().getName().equals(claim.getSpec().getVolumeName()))
                .filter(volume -> DirectoryAnnotations.isServed(volume, settings) && isBoundTo(volume, claim))
                .filter(volume -> !isBeingDeleted(volume) && !isBeingDeleted(claim))
                .findFirst()
                .map(volume -> bound(claim, volume))
                .orElseGet(Decision::done);
    }

    /**
     * A volume that was released can be bound to another claim than the one that its directory was created for. The former
     * claim's pods may have changed owner and mode, so both are set again, once for each binding.
     */
    private Decision<DirectoryClaimStep> bound(PersistentVolumeClaim claim, PersistentVolume volume) {
        String uid = claim.getMetadata().getUid();
        boolean isRestored = uid.equals(annotation(volume, DirectoryAnnotations.CLAIM_UID))
                || uid.equals(annotation(volume, DirectoryAnnotations.BOUND_CLAIM_UID));
        if (!isRestored && observed.storageClass() instanceof ResolvedClass.Served(DirectoryClass served)) {
            return observed.root().state() instanceof RootState.Open
                    ? restore(claim, volume, served)
                    : Decision.act(new DirectoryClaimStep.AwaitRoot(claim, served.root()));
        }
        return checkSize(claim, volume);
    }

    private Decision<DirectoryClaimStep> restore(
            PersistentVolumeClaim claim, PersistentVolume volume, DirectoryClass served) {
        Optional<Marker> found = observed.boundMarker()
                .filter(marker -> marker.state() == Marker.State.IN_USE)
                .filter(marker -> marker.claim().uid().equals(annotation(volume, DirectoryAnnotations.CLAIM_UID)));
        if (found.isEmpty()) {
            return Decision.done();
        }
        Marker before = found.get();
        Marker after;
        try {
            after = before.ownedBy(DirectoryRequest.ownerOr(before.owner(), claim, served), served.mode());
        } catch (DirectoryRequest.InvalidClaimException e) {
            return report(Problem.requiresChange(
                    REASON, "Owner and mode of the volume's directory are not set for this claim. " + e.getMessage()));
        }
        return Decision.act(
                observed.state().progress(after) == Progress.OWNED
                        ? new DirectoryClaimStep.RecordBinding(claim, volume)
                        : new DirectoryClaimStep.RestoreOwner(claim, served.root(), before, after));
    }

    /** The API server accepts a larger size if the class has allowVolumeExpansion. */
    private Decision<DirectoryClaimStep> checkSize(PersistentVolumeClaim claim, PersistentVolume volume) {
        long requested = bytes(
                claim.getSpec().getResources() == null
                        ? Map.of()
                        : claim.getSpec().getResources().getRequests());
        long capacity = bytes(volume.getSpec().getCapacity());
        return requested > capacity && capacity > 0
                ? report(Problem.requiresChange(
                        DirectoryReason.VOLUME_RESIZE_FAILED,
                        "The claim requests " + StorageSize.text(requested) + ", but its volume "
                                + volume.getMetadata().getName() + " has " + StorageSize.text(capacity)
                                + ", and directories are not expanded. Create a larger claim and copy the data; remove"
                                + " allowVolumeExpansion from the class to have such requests rejected."))
                : Decision.done();
    }

    private static long bytes(@Nullable Map<String, Quantity> sizes) {
        @Nullable Quantity storage = sizes == null ? null : sizes.get("storage");
        try {
            return storage == null ? 0 : StorageSize.parse(storage.toString());
        } catch (IllegalArgumentException e) {
            return 0;
        }
    }

    private static boolean isBoundTo(PersistentVolume volume, PersistentVolumeClaim claim) {
        return volume.getSpec().getClaimRef() != null
                && claim.getMetadata()
                        .getUid()
                        .equals(volume.getSpec().getClaimRef().getUid());
    }

    /** Only a process without a node reports it: one event is enough, and each node has a process of its own. */
    private Decision<DirectoryClaimStep> awaitNode(PersistentVolumeClaim claim) {
        String node = annotation(claim, DirectoryAnnotations.SELECTED_NODE);
        if (node.isEmpty()) {
            return Decision.done();
        }
        if (observed.state().startNanos() == 0) {
            return Decision.act(new DirectoryClaimStep.AwaitNodeProcess(claim));
        }
        Duration left =
                NODE_PROCESS.minusNanos(observed.nanos() - observed.state().startNanos());
        return left.isPositive()
                ? Decision.finish(Result.requeueAfter(left))
                : requiresChange("Class " + claim.getSpec().getStorageClassName()
                        + " has volumeType local, so the process on"
                        + " node " + SafeText.line(node) + " must create the directory, but none did within "
                        + NODE_PROCESS.toSeconds() + " seconds. Run directory-provisioner --node-name on that node.");
    }

    /**
     * Removes what was created for a claim that has no volume. A root that was rolled back to a snapshot contains markers of
     * earlier claims: if a volume of the marker's name exists, the directory is in use, whatever the marker says. Before a
     * directory is removed with its content, that is also read from the API server.
     */
    private Decision<DirectoryClaimStep> cleanUp() {
        if (observed.ownMarker().isEmpty()
                || !observed.volumes().isEmpty()
                || observed.ownMarkerVolume().isPresent()) {
            return Decision.done();
        }
        MarkerLocation location = observed.ownMarker().get();
        Marker marker = location.marker();
        boolean served = marker.cluster().equals(observed.clusterId())
                && settings.servesClass(marker.storageClass(), marker.provisioner())
                && marker.node().equals(settings.node());
        if (!served) {
            return Decision.done();
        }
        return switch (marker.state()) {
            case IN_USE -> Decision.act(new DirectoryClaimStep.RemoveUnused(location, Result.done()));
            case DELETING -> {
                Progress progress = observed.state().progress(marker);
                yield Decision.act(
                        progress == Progress.TO_CONFIRM
                                ? new DirectoryClaimStep.ConfirmUnused(observed.key(), marker)
                                : new DirectoryClaimStep.CompleteDeletion(location, progress == Progress.UNUSED));
            }
            case RETAINED -> Decision.done();
        };
    }

    private Decision<DirectoryClaimStep> provision(PersistentVolumeClaim claim, DirectoryClass served) {
        Optional<Problem> tooLarge = Problem.ofSize(claim);
        if (tooLarge.isPresent()) {
            return reject(tooLarge.get());
        }
        return observed.root()
                .decide(
                        observed.state().reported(),
                        "The directory is not created yet. ",
                        "The directory cannot be created. ",
                        new DirectoryClaimStep.AwaitRoot(claim, served.root()),
                        message -> report(Problem.retryable(REASON, message)),
                        identity -> provisionIn(identity, claim, served));
    }

    private Decision<DirectoryClaimStep> provisionIn(
            RootIdentity root, PersistentVolumeClaim claim, DirectoryClass served) {
        if (observed.namespaceUid().isEmpty()) {
            // The cache of namespaces is behind that of claims. The marker must contain the uid.
            return Decision.finish(Result.requeueAfter(CACHE_LAG));
        }
        try {
            return withRequest(DirectoryRequest.parse(
                    claim, served, observed.namespaceUid(), observed.clusterId(), root.id(), settings.node()));
        } catch (DirectoryRequest.InvalidClaimException e) {
            return reject(Problem.requiresChange(REASON, String.valueOf(e.getMessage())));
        }
    }

    private Decision<DirectoryClaimStep> withRequest(DirectoryRequest request) {
        if (observed.sameNameVolume().isPresent()) {
            return requiresChange(sameNameVolume(
                    request.marker().name(), observed.sameNameVolume().get()));
        }
        if (observed.sameNameMarker().isEmpty()) {
            return withinBudget(request, new DirectoryClaimStep.CreateMarker(request), 0);
        }
        return switch (observed.sameNameMarker().get()) {
            case MarkerFile.Invalid(DirectoryName _, String problem) -> requiresUnwatchedChange(problem + ".");
            case MarkerFile.Valid(Marker marker) -> {
                if (marker.claim().uid().equals(request.marker().claim().uid())) {
                    yield create(request, marker);
                }
                if (isReusable(marker, request)) {
                    yield withinBudget(request, new DirectoryClaimStep.ReplaceMarker(request, marker), marker.bytes());
                }
                yield requiresUnwatchedChange(ownedByAnother(marker, request.marker()));
            }
        };
    }

    private Decision<DirectoryClaimStep> create(DirectoryRequest request, Marker marker) {
        if (!marker.equals(request.marker())) {
            return withinBudget(request, new DirectoryClaimStep.ReplaceMarker(request, marker), 0);
        }
        ProjectQuota quota = request.directoryClass().quota();
        return switch (observed.state().progress(marker)) {
            case NONE, TO_CONFIRM, UNUSED -> Decision.act(new DirectoryClaimStep.CreateDirectory(request));
            case CREATED -> Decision.act(new DirectoryClaimStep.SetOwner(request));
            case OWNED ->
                Decision.act(
                        quota == ProjectQuota.OFF
                                ? new DirectoryClaimStep.CreateVolume(request)
                                : new DirectoryClaimStep.SetQuota(request));
            case UNLIMITED ->
                quota == ProjectQuota.REQUIRE
                        ? reject(Problem.requiresUnwatchedChange(REASON, quotaRequired(request.directoryClass())))
                        : Decision.act(new DirectoryClaimStep.CreateVolume(request));
            case LIMITED -> Decision.act(new DirectoryClaimStep.CreateVolume(request));
        };
    }

    static String quotaRequired(DirectoryClass directoryClass) {
        return "Class " + directoryClass.name() + " requires project quotas, but the file system of its root does not"
                + " enforce them: mount it with prjquota, or change the class.";
    }

    /** The size of a reused directory is counted once, for the new claim. */
    private Decision<DirectoryClaimStep> withinBudget(
            DirectoryRequest request, DirectoryClaimStep step, long reusedBytes) {
        DirectoryClass directoryClass = request.directoryClass();
        long bytes = request.marker().bytes();
        if (directoryClass.rootBudget() == DirectoryClass.UNLIMITED
                || observed.requestedByOthers() - reusedBytes <= directoryClass.rootBudget() - bytes) {
            return Decision.act(step);
        }
        Problem problem = Problem.requiresUnwatchedChange(
                REASON,
                "The claim requests " + StorageSize.text(bytes) + ", but other claims already requested "
                        + StorageSize.text(observed.requestedByOthers()) + " of the "
                        + StorageSize.text(directoryClass.rootBudget()) + " that rootBudget of class "
                        + directoryClass.name()
                        + " allows. The directory is created when other volumes are deleted.");
        return observed.state().reported().equals(problem.message())
                ? Decision.act(new DirectoryClaimStep.AwaitRoom(request))
                : report(problem);
    }

    /**
     * A retained directory is reused on request. A directory that is in use has a volume, unless objects were lost and
     * restored from a backup: then it belongs to the new claim of the same name, whose predecessor no longer exists.
     */
    private static boolean isReusable(Marker existing, DirectoryRequest request) {
        Marker requested = request.marker();
        boolean allowed = switch (existing.state()) {
            case RETAINED -> request.reusesExisting();
            case IN_USE -> true;
            case DELETING -> false;
        };
        return allowed
                && existing.cluster().equals(requested.cluster())
                && isOfSameClass(existing, requested)
                && requested.claim().isSuccessorOf(existing.claim());
    }

    private static boolean isOfSameClass(Marker existing, Marker requested) {
        return existing.provisioner().equals(requested.provisioner())
                && existing.root().equals(requested.root())
                && existing.storageClass().equals(requested.storageClass());
    }

    private static String ownedByAnother(Marker existing, Marker requested) {
        String directory = "Directory " + existing.name();
        boolean sameName = requested.claim().namespace().equals(existing.claim().namespace())
                && requested.claim().name().equals(existing.claim().name());
        if (!sameName) {
            return directory + " is owned by a claim of another namespace or name that results in"
                    + " the same directory name. Rename this claim, or use a class with naming: uid.";
        }
        if (existing.state() == State.DELETING) {
            return directory + " of an earlier claim of this name is still being deleted.";
        }
        if (!isOfSameClass(existing, requested)) {
            return directory + " was created for an earlier claim of this name, of class " + existing.storageClass()
                    + ". Use that class, or have the administrator remove the directory with: bucketwright directory"
                    + " remove " + existing.name() + ".";
        }
        if (!existing.cluster().equals(requested.cluster())) {
            return directory + " was created by another cluster, for a claim of this name. If this cluster replaces"
                    + " that one, the administrator runs: bucketwright directory adopt " + existing.name() + ".";
        }
        if (!requested.claim().isSuccessorOf(existing.claim())) {
            return directory + " was created for a claim of this name in a namespace that was deleted and created"
                    + " again, perhaps by somebody else. If the claim may have the data, the administrator runs:"
                    + " bucketwright directory adopt " + existing.name() + ".";
        }
        return directory + " was retained for an earlier claim of this name. Set annotation "
                + DirectoryAnnotations.REUSE_EXISTING
                + ": \"true\" to reuse it, or have the administrator remove it with: bucketwright directory remove "
                + existing.name() + ".";
    }

    private static String sameNameVolume(DirectoryName name, PersistentVolume existing) {
        String provisioner = annotation(existing, DirectoryAnnotations.PROVISIONED_BY);
        boolean released = isBeingDeleted(existing) || "Released".equals(DirectoryVolumes.phase(existing));
        return "Volume " + name + " already exists and is not owned by this claim"
                + (provisioner.isEmpty() ? "" : "; its provisioner is " + SafeText.quoted(provisioner))
                + ". The claim is provisioned after that volume is deleted: "
                + (released
                        ? "it is released, and is deleted automatically unless it is retained."
                        : "rename the claim, or use a class with naming: uid.");
    }

    /** Reports the problem, and then releases what was created for the claim before, so that it does not use the budget. */
    private Decision<DirectoryClaimStep> reject(Problem problem) {
        boolean held = observed.ownMarker()
                        .filter(location -> location.marker().state() == State.IN_USE)
                        .isPresent()
                && observed.ownMarkerVolume().isEmpty();
        return held && observed.state().reported().equals(problem.message())
                ? Decision.act(
                        new DirectoryClaimStep.RemoveUnused(observed.ownMarker().orElseThrow(), problem.result()))
                : report(problem);
    }

    private Decision<DirectoryClaimStep> requiresChange(String message) {
        return report(Problem.requiresChange(REASON, message));
    }

    private Decision<DirectoryClaimStep> requiresUnwatchedChange(String message) {
        return report(Problem.requiresUnwatchedChange(REASON, message));
    }

    /** Reports a problem of the claim, once. */
    private Decision<DirectoryClaimStep> report(Problem problem) {
        return observed.state().reported().equals(problem.message())
                ? Decision.finish(problem.result())
                : Decision.act(
                        new DirectoryClaimStep.ReportProblem(observed.claim().orElseThrow(), problem));
    }

    /** Kubernetes sets this annotation when no existing volume matches the claim. */
    private static boolean isAssignedTo(PersistentVolumeClaim claim, String provisioner) {
        List<String> keys = List.of(DirectoryAnnotations.PROVISIONER, DirectoryAnnotations.BETA_PROVISIONER);
        return DirectoryAnnotations.first(claim, keys)
                .filter(provisioner::equals)
                .isPresent();
    }

    private boolean isNodeSelected(PersistentVolumeClaim claim, DirectoryClass served) {
        String selected = annotation(claim, DirectoryAnnotations.SELECTED_NODE);
        return settings.node().isEmpty()
                ? !served.waitsForConsumer() || !selected.isEmpty()
                : settings.node().equals(selected);
    }
}
