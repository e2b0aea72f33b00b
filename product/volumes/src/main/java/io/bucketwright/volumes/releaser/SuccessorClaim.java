package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.VolumeResourceRequirements;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A new claim with the name of a volume's former claim. If Kubernetes cannot bind it to the volume, it binds it to another one
 * and removes the uid from the volume's claim reference; then only a name protects the data.
 */
record SuccessorClaim(PersistentVolume volume, PersistentVolumeClaim claim) {

    private static final String STORAGE = "storage";

    /** Whether the claim is new and still waits for a volume of this class. */
    boolean isWaiting() {
        String bound = text(claim.getSpec().getVolumeName());
        String phase = Optional.ofNullable(claim.getStatus())
                .map(PersistentVolumeClaimStatus::getPhase)
                .orElse("Pending");
        return !PersistentVolumes.claimUid(volume).equals(claim.getMetadata().getUid())
                && !Metadata.isBeingDeleted(claim)
                && phase.equals("Pending")
                && (bound.isEmpty() || bound.equals(volume.getMetadata().getName()))
                && PersistentVolumes.className(volume)
                        .equals(text(claim.getSpec().getStorageClassName()));
    }

    /** Why Kubernetes would not, or might not, bind the claim to the volume; empty if it would. */
    String mismatch() {
        if (claim.getSpec().getSelector() != null) {
            return "has a selector";
        }
        if (requested().compareTo(capacity()) > 0) {
            return "requests more than the volume's capacity";
        }
        if (!list(volume.getSpec().getAccessModes())
                .containsAll(list(claim.getSpec().getAccessModes()))) {
            return "requests access modes that the volume does not have";
        }
        if (PersistentVolumes.isBlock(volume) != "Block".equals(claim.getSpec().getVolumeMode())) {
            return "requests another volumeMode";
        }
        boolean sameAttributes = text(volume.getSpec().getVolumeAttributesClassName())
                .equals(text(claim.getSpec().getVolumeAttributesClassName()));
        return sameAttributes ? "" : "requests another volumeAttributesClassName";
    }

    private BigDecimal requested() {
        return amount(Optional.ofNullable(claim.getSpec().getResources())
                .map(VolumeResourceRequirements::getRequests)
                .orElse(Map.of()));
    }

    private BigDecimal capacity() {
        return amount(Optional.ofNullable(volume.getSpec().getCapacity()).orElse(Map.of()));
    }

    private static BigDecimal amount(Map<String, Quantity> quantities) {
        return Optional.ofNullable(quantities.get(STORAGE))
                .map(Quantity::getAmountInBytes)
                .orElse(BigDecimal.ZERO);
    }

    private static List<String> list(@Nullable List<String> values) {
        return values == null ? List.of() : values;
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }
}
