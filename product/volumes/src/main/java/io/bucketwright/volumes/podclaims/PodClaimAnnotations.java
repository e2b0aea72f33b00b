package io.bucketwright.volumes.podclaims;

import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.Optional;

/** The annotations by which pods request claims, and the label and owner of those claims. */
public final class PodClaimAnnotations {

    /** Prefix of all annotations of pods that this controller reads. */
    public static final String PREFIX = "dynamic-pvc-provisioner.kubernetes.io/";

    /** Annotation {@code <volume>.enabled}: whether the volume needs a claim. */
    public static final String ENABLED = ".enabled";

    /** Annotation {@code <volume>.pvc}: the claim to create. */
    public static final String TEMPLATE = ".pvc";

    /** Label of claims: the id of the controller that created it. */
    public static final String MANAGED_BY = PREFIX + "managed-by";

    private PodClaimAnnotations() {}

    /** The pod that is the controller of the claim. */
    public static Optional<OwnerReference> controllingPod(HasMetadata claim) {
        return Metadata.controllerOf(claim)
                .filter(owner -> "Pod".equals(owner.getKind()) && "v1".equals(owner.getApiVersion()));
    }
}
