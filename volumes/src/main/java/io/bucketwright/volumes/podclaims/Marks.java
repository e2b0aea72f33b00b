package io.bucketwright.volumes.podclaims;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Stream;

/** How a pod asks, and how a claim says whose it is. */
public final class Marks {

    /** All annotations of pods that mean us begin so. */
    public static final String PREFIX = "dynamic-pvc-provisioner.kubernetes.io/";

    /** Annotation {@code <volume>.enabled}: whether the volume wants a claim. */
    public static final String ENABLED = ".enabled";

    /** Annotation {@code <volume>.pvc}: what the claim looks like. */
    public static final String TEMPLATE = ".pvc";

    /** On claims: which controller made it. */
    public static final String MANAGED_BY = PREFIX + "managed-by";

    private static final String POD = "Pod";
    private static final String CORE = "v1";

    private Marks() {}

    /** The pod that a claim belongs to, by the reference that makes it its controller. */
    public static Optional<OwnerReference> controllingPod(HasMetadata claim) {
        return Stream.ofNullable(claim.getMetadata().getOwnerReferences())
                .flatMap(Collection::stream)
                .filter(owner -> POD.equals(owner.getKind())
                        && CORE.equals(owner.getApiVersion())
                        && Boolean.TRUE.equals(owner.getController()))
                .findFirst();
    }

    static OwnerReference ownerReference(Pod pod) {
        OwnerReference owner = new OwnerReference();
        owner.setApiVersion(CORE);
        owner.setKind(POD);
        owner.setName(pod.getMetadata().getName());
        owner.setUid(pod.getMetadata().getUid());
        owner.setController(true);
        owner.setBlockOwnerDeletion(true);
        return owner;
    }

    static String serviceAccount(Pod pod) {
        return Optional.ofNullable(pod.getSpec())
                .map(PodSpec::getServiceAccountName)
                .filter(name -> !name.isEmpty())
                .orElse("default");
    }
}
