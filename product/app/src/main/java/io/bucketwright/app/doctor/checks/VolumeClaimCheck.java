package io.bucketwright.app.doctor.checks;

import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.app.doctor.observation.DoctorScope;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimStatus;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.Optional;

/** PersistentVolumeClaims of directory classes that are not Bound. */
record VolumeClaimCheck(ClusterObservation observed, Findings found) {
    /** The scheduler has chosen a node for the pod that uses the claim. */
    private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    void examine() {
        observed.all(PersistentVolumeClaim.class).stream()
                .filter(VolumeClaimCheck::isPending)
                .filter(claim -> !Metadata.isBeingDeleted(claim) && observed.isOverdue(claim))
                .forEach(this::examine);
    }

    private static boolean isPending(PersistentVolumeClaim claim) {
        return Optional.ofNullable(claim.getStatus())
                .map(PersistentVolumeClaimStatus::getPhase)
                .filter("Pending"::equals)
                .isPresent();
    }

    private void examine(PersistentVolumeClaim claim) {
        Optional.ofNullable(claim.getSpec().getStorageClassName())
                .flatMap(observed::storageClass)
                .filter(storageClass -> DoctorScope.DIRECTORY_PROVISIONER.equals(storageClass.getProvisioner()))
                .filter(storageClass -> !waitsForPod(storageClass, claim))
                .ifPresent(storageClass -> found.error(
                        "VolumeClaimPending",
                        FoundObject.of(claim),
                        "The claim is Pending. The provisioner of its class "
                                + storageClass.getMetadata().getName()
                                + " is the directory provisioner. The events of the claim report the reason.",
                        FoundObject.of(claim).describe()));
    }

    /** Nothing is wrong before a pod uses the claim. */
    private static boolean waitsForPod(StorageClass storageClass, PersistentVolumeClaim claim) {
        return "WaitForFirstConsumer".equals(storageClass.getVolumeBindingMode())
                && Metadata.annotation(claim, SELECTED_NODE).isEmpty();
    }
}
