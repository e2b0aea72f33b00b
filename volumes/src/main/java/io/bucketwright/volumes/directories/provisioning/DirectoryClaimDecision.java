package io.bucketwright.volumes.directories.provisioning;

import static io.bucketwright.runtime.objects.Metadata.annotation;
import static io.bucketwright.runtime.objects.Metadata.isBeingDeleted;

import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.objects.SafeText;
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
import io.bucketwright.volumes.directories.objects.DirectoryAnnotations;
import io.bucketwright.volumes.directories.objects.DirectoryVolumes;
import io.bucketwright.volumes.directories.roots.MarkerLocation;
import io.bucketwright.volumes.directories.roots.RootState;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.List;

/** Decides the next step for a claim. Pure. */
record DirectoryClaimDecision(DirectorySettings settings) {

    static final String REASON = "ProvisioningFailed";

    Decision<DirectoryClaimStep> decide(DirectoryClaimObservation observed) {
        if (!settings.servesNamespace(observed.key().namespace())) {
            return Decision.done();
        }
        if (observed.claim().isEmpty()) {
            return cleanUp(observed);
        }
        PersistentVolumeClaim claim = observed.claim().get();
        String bound = claim.getSpec().getVolumeName();
        if (bound != null && !bound.isEmpty()) {
            boolean boundToAnother = observed.ownMarker()
                    .filter(location -> !location.marker().name().text().equals(bound))
                    .isPresent();
            return boundToAnother ? cleanUp(observed) : Decision.done();
        }
        if (isBeingDeleted(claim) || !observed.volumes().isEmpty()) {
            return Decision.done();
        }
        return switch (observed.storageClass()) {
            case ResolvedClass.NotServed() -> Decision.done();
            case ResolvedClass.Invalid(String provisioner, String problem) ->
                isAssignedTo(claim, provisioner)
                        ? requiresChange(
                                observed,
                                "Class " + claim.getSpec().getStorageClassName() + " is invalid: " + problem + ".")
                        : Decision.done();
            case ResolvedClass.Served(DirectoryClass served) ->
                isAssignedTo(claim, served.provisioner()) && isNodeSelected(claim, served)
                        ? provision(observed, claim, served)
                        : Decision.done();
        };
    }

    /** Removes what was created for a claim that has no volume. A directory with content is never removed here. */
    private Decision<DirectoryClaimStep> cleanUp(DirectoryClaimObservation observed) {
        if (observed.ownMarker().isEmpty() || !observed.volumes().isEmpty()) {
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
            case IN_USE -> Decision.act(new DirectoryClaimStep.RemoveUnused(observed.key(), location));
            case DELETING -> Decision.act(new DirectoryClaimStep.CompleteDeletion(observed.key(), location));
            case RETAINED -> Decision.done();
        };
    }

    private Decision<DirectoryClaimStep> provision(
            DirectoryClaimObservation observed, PersistentVolumeClaim claim, DirectoryClass served) {
        return switch (observed.root()) {
            case RootState.NotOpened() -> Decision.act(new DirectoryClaimStep.AwaitRoot(observed.key(), served.root()));
            case RootState.Unavailable(String reason) -> {
                String message = "The directory cannot be created. " + reason;
                yield observed.state().reported().equals(message)
                        ? Decision.act(new DirectoryClaimStep.AwaitRoot(observed.key(), served.root()))
                        : report(observed, Problem.retryable(REASON, message));
            }
            case RootState.Open(RootIdentity identity) -> {
                try {
                    yield withRequest(
                            observed,
                            DirectoryRequestParser.parse(
                                    claim,
                                    served,
                                    observed.namespaceUid(),
                                    observed.clusterId(),
                                    identity.id(),
                                    settings.node()));
                } catch (InvalidClaimException e) {
                    yield requiresChange(observed, String.valueOf(e.getMessage()));
                }
            }
        };
    }

    private Decision<DirectoryClaimStep> withRequest(DirectoryClaimObservation observed, DirectoryRequest request) {
        if (observed.sameNameVolume().isPresent()) {
            return requiresChange(
                    observed,
                    sameNameVolume(
                            request.marker().name(), observed.sameNameVolume().get()));
        }
        if (observed.sameNameMarker().isEmpty()) {
            return withinBudget(observed, request, new DirectoryClaimStep.CreateMarker(observed.key(), request), 0);
        }
        return switch (observed.sameNameMarker().get()) {
            case MarkerFile.Invalid(DirectoryName _, String problem) ->
                requiresUnwatchedChange(observed, problem + ".");
            case MarkerFile.Valid(Marker marker) -> {
                if (marker.claim().uid().equals(request.marker().claim().uid())) {
                    yield create(observed, request, marker);
                }
                if (request.reusesExisting() && isReusable(marker, request.marker())) {
                    yield withinBudget(
                            observed,
                            request,
                            new DirectoryClaimStep.ReplaceMarker(observed.key(), request, marker),
                            marker.bytes());
                }
                yield requiresUnwatchedChange(observed, ownedByAnother(marker, request.marker()));
            }
        };
    }

    private static Decision<DirectoryClaimStep> create(
            DirectoryClaimObservation observed, DirectoryRequest request, Marker marker) {
        if (!marker.equals(request.marker())) {
            return withinBudget(
                    observed, request, new DirectoryClaimStep.ReplaceMarker(observed.key(), request, marker), 0);
        }
        ProjectQuota quota = request.directoryClass().quota();
        return switch (observed.state().progress(marker)) {
            case NONE -> Decision.act(new DirectoryClaimStep.CreateDirectory(observed.key(), request));
            case CREATED -> Decision.act(new DirectoryClaimStep.SetOwner(observed.key(), request));
            case OWNED ->
                Decision.act(
                        quota == ProjectQuota.OFF
                                ? new DirectoryClaimStep.CreateVolume(observed.key(), request)
                                : new DirectoryClaimStep.SetQuota(observed.key(), request));
            case UNLIMITED ->
                quota == ProjectQuota.REQUIRE
                        ? requiresChange(
                                observed,
                                "Class " + request.directoryClass().name() + " requires project quotas, but the file"
                                        + " system of its root does not enforce them: mount it with prjquota, or change"
                                        + " the class.")
                        : Decision.act(new DirectoryClaimStep.CreateVolume(observed.key(), request));
            case LIMITED -> Decision.act(new DirectoryClaimStep.CreateVolume(observed.key(), request));
        };
    }

    /** The size of a reused directory is counted once, for the new claim. */
    private static Decision<DirectoryClaimStep> withinBudget(
            DirectoryClaimObservation observed, DirectoryRequest request, DirectoryClaimStep step, long reusedBytes) {
        DirectoryClass directoryClass = request.directoryClass();
        long bytes = request.marker().bytes();
        if (observed.requestedByOthers() - reusedBytes > directoryClass.rootBudget() - bytes) {
            return requiresUnwatchedChange(
                    observed,
                    "The claim requests " + StorageSize.text(bytes) + ", but other claims already requested "
                            + StorageSize.text(observed.requestedByOthers()) + " of the "
                            + StorageSize.text(directoryClass.rootBudget()) + " that rootBudget of class "
                            + directoryClass.name()
                            + " allows. The directory is created when other volumes are deleted.");
        }
        return Decision.act(step);
    }

    private static boolean isReusable(Marker existing, Marker requested) {
        return existing.state() == State.RETAINED
                && existing.cluster().equals(requested.cluster())
                && existing.provisioner().equals(requested.provisioner())
                && existing.root().equals(requested.root())
                && existing.storageClass().equals(requested.storageClass())
                && requested.claim().isSuccessorOf(existing.claim());
    }

    private static String ownedByAnother(Marker existing, Marker requested) {
        boolean sameName = requested.claim().namespace().equals(existing.claim().namespace())
                && requested.claim().name().equals(existing.claim().name());
        if (!sameName) {
            return "Directory " + existing.name() + " is owned by a claim of another namespace or name that results in"
                    + " the same directory name. Rename this claim, or use a class with naming: uid.";
        }
        return existing.state() == State.RETAINED
                ? "Directory " + existing.name() + " was retained for an earlier claim of this name. Set annotation "
                        + DirectoryAnnotations.REUSE_EXISTING
                        + ": \"true\" to reuse it, or remove the directory and its marker."
                : "Directory " + existing.name() + " is still owned by an earlier claim of this name.";
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

    private static Decision<DirectoryClaimStep> requiresChange(DirectoryClaimObservation observed, String message) {
        return report(observed, Problem.requiresChange(REASON, message));
    }

    private static Decision<DirectoryClaimStep> requiresUnwatchedChange(
            DirectoryClaimObservation observed, String message) {
        return report(observed, Problem.requiresUnwatchedChange(REASON, message));
    }

    private static Decision<DirectoryClaimStep> report(DirectoryClaimObservation observed, Problem problem) {
        return observed.state().reported().equals(problem.message())
                ? Decision.finish(problem.result())
                : Decision.act(new DirectoryClaimStep.ReportProblem(
                        observed.key(), observed.claim().orElseThrow(), problem));
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
