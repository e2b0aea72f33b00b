package io.bucketwright.volumes.directories.provisioning;

import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.classes.ResolvedClass;
import io.bucketwright.volumes.directories.classes.StorageSize;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.objects.DirectoryAnnotations;
import io.bucketwright.volumes.directories.objects.DirectoryReason;
import io.bucketwright.volumes.directories.provisioning.DirectoryClaimState.Progress;
import io.bucketwright.volumes.directories.roots.RootState;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The decision on a claim that is bound to a volume of this provisioner. A volume that was released can be bound to another claim
 * than the one that its directory was created for. The former claim's pods may have changed owner and mode, so both are set again,
 * once for each binding.
 */
record BoundClaimDecision(
        DirectorySettings settings,
        DirectoryClaimObservation observed,
        PersistentVolumeClaim claim,
        PersistentVolume volume) {

    static final String RESIZE_FAILED = DirectoryReason.VOLUME_RESIZE_FAILED;

    /** Nothing to do if the claim is not bound to a volume of this provisioner. */
    static Decision<DirectoryClaimStep> decide(
            DirectorySettings settings, DirectoryClaimObservation observed, PersistentVolumeClaim claim) {
        return observed.volumes().stream()
                .filter(volume ->
                        volume.getMetadata().getName().equals(claim.getSpec().getVolumeName()))
                .filter(volume -> DirectoryAnnotations.isServed(volume, settings) && isBoundTo(volume, claim))
                .filter(volume -> !Metadata.isBeingDeleted(volume) && !Metadata.isBeingDeleted(claim))
                .findFirst()
                .map(volume -> new BoundClaimDecision(settings, observed, claim, volume).decide())
                .orElseGet(Decision::done);
    }

    private Decision<DirectoryClaimStep> decide() {
        String uid = claim.getMetadata().getUid();
        boolean isRestored = uid.equals(Metadata.annotation(volume, DirectoryAnnotations.CLAIM_UID))
                || uid.equals(Metadata.annotation(volume, DirectoryAnnotations.BOUND_CLAIM_UID));
        if (!isRestored && observed.storageClass() instanceof ResolvedClass.Served(DirectoryClass served)) {
            return observed.root() instanceof RootState.Open
                    ? restore(served)
                    : Decision.act(new DirectoryClaimStep.AwaitRoot(claim, served.root()));
        }
        return checkSize();
    }

    private Decision<DirectoryClaimStep> restore(DirectoryClass served) {
        Optional<Marker> found = observed.boundMarker()
                .filter(marker -> marker.state() == Marker.State.IN_USE)
                .filter(marker ->
                        marker.claim().uid().equals(Metadata.annotation(volume, DirectoryAnnotations.CLAIM_UID)));
        if (found.isEmpty()) {
            return Decision.done();
        }
        Marker before = found.get();
        Marker after;
        try {
            after = before.ownedBy(new DirectoryRequestParser(claim, served).ownerOr(before.owner()), served.mode());
        } catch (InvalidClaimException e) {
            return observed.report(Problem.requiresChange(
                    DirectoryClaimDecision.REASON,
                    "Owner and mode of the volume's directory are not set for this claim. " + e.getMessage()));
        }
        return Decision.act(
                observed.state().progress(after) == Progress.OWNED
                        ? new DirectoryClaimStep.RecordBinding(claim, volume)
                        : new DirectoryClaimStep.RestoreOwner(claim, served.root(), before, after));
    }

    /** The API server accepts a larger size if the class has allowVolumeExpansion. */
    private Decision<DirectoryClaimStep> checkSize() {
        long requested = bytes(
                claim.getSpec().getResources() == null
                        ? Map.of()
                        : claim.getSpec().getResources().getRequests());
        long capacity = bytes(volume.getSpec().getCapacity());
        return requested > capacity && capacity > 0
                ? observed.report(Problem.requiresChange(
                        RESIZE_FAILED,
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
}
