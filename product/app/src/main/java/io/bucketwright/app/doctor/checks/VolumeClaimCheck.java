package io.bucketwright.app.doctor.checks;

import io.bucketwright.app.doctor.finding.CheckName;
import io.bucketwright.app.doctor.finding.Finding;
import io.bucketwright.app.doctor.finding.FoundObject;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.app.doctor.observation.DoctorScope;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimStatus;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** PersistentVolumeClaims of directory classes that are not Bound. */
record VolumeClaimCheck(ClusterObservation observed) {

    /** The scheduler has chosen a node for the pod that uses the claim. */
    private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    static Stream<Finding> examine(ClusterObservation observed) {
        VolumeClaimCheck check = new VolumeClaimCheck(observed);
        return observed.volumeClaims().stream().flatMap(claim -> check.examine(claim).stream());
    }

    private Optional<Finding> examine(PersistentVolumeClaim claim) {
        boolean pending = Optional.ofNullable(claim.getStatus())
                .map(PersistentVolumeClaimStatus::getPhase)
                .filter("Pending"::equals)
                .isPresent();
        if (!pending
                || Metadata.isBeingDeleted(claim)
                || !ObjectTimes.isOlderThan(
                        observed.scope().stuckAfter(), claim.getMetadata().getCreationTimestamp(), observed.now())) {
            return Optional.empty();
        }
        return observed.storageClasses().stream()
                .filter(found -> Objects.equals(
                        found.getMetadata().getName(), claim.getSpec().getStorageClassName()))
                .filter(found -> DoctorScope.DIRECTORY_PROVISIONER.equals(found.getProvisioner()))
                .filter(found -> !waitsForPod(found, claim))
                .findFirst()
                .map(found -> Finding.error(
                        CheckName.CLAIMS,
                        "VolumeClaimPending",
                        FoundObject.of(claim),
                        "The claim is Pending. The provisioner of its class "
                                + found.getMetadata().getName()
                                + " is the directory provisioner. The events of the claim report the reason.",
                        "kubectl describe " + FoundObject.of(claim).kubectl()));
    }

    /** Nothing is wrong before a pod uses the claim. */
    private static boolean waitsForPod(StorageClass found, PersistentVolumeClaim claim) {
        return "WaitForFirstConsumer".equals(found.getVolumeBindingMode())
                && Metadata.annotation(claim, SELECTED_NODE).isEmpty();
    }
}
