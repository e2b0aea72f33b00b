package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The namespace in which a volume was last used. A namespace that was deleted and created again has the same name and another
 * tenant, so names prove nothing. Proof is the uid, recorded in an annotation while the claim existed, or a namespace that is
 * older than the volume, if Kubernetes bound the volume after it was created: then no other namespace of that name ever used it.
 */
record FormerNamespace(PersistentVolume volume) {

    private static final String VERSION = "v1/";

    /** The text to record: the volume is used by this claim, in the namespace with this uid. */
    static String text(String claimUid, String namespaceUid) {
        return VERSION + claimUid + "/" + namespaceUid;
    }

    /** Whether this namespace is the one in which the volume was last used. */
    boolean is(Namespace namespace) {
        return recorded().isEmpty()
                ? isBoundByController() && isBefore(namespace, volume)
                : recorded()
                        .equals(text(
                                PersistentVolumes.claimUid(volume),
                                namespace.getMetadata().getUid()));
    }

    /** Whether the namespace of the claim that the volume is bound to must be recorded. */
    boolean mustBeRecorded(@Nullable PersistentVolumeClaim claim, @Nullable Namespace namespace) {
        return claim != null
                && namespace != null
                && PersistentVolumes.claimUid(volume).equals(claim.getMetadata().getUid())
                // Otherwise one of the two caches lags, and the claim was in another namespace of that name.
                && !isBefore(claim, namespace)
                && !recorded()
                        .equals(text(
                                PersistentVolumes.claimUid(volume),
                                namespace.getMetadata().getUid()));
    }

    /** A volume that was created with its claim reference, as from a backup, may be younger than its data. */
    private boolean isBoundByController() {
        return !Metadata.annotation(volume, ReleaserNames.BOUND_BY_CONTROLLER).isEmpty();
    }

    /** The uid of the recorded namespace; empty if none is recorded. */
    String recordedUid() {
        return recorded().startsWith(VERSION) ? recorded().substring(recorded().lastIndexOf('/') + 1) : "";
    }

    private String recorded() {
        return Metadata.annotation(volume, ReleaserNames.NAMESPACE);
    }

    private static boolean isBefore(HasMetadata one, HasMetadata other) {
        return created(one).isBefore(created(other));
    }

    private static Instant created(HasMetadata object) {
        return Instant.parse(object.getMetadata().getCreationTimestamp());
    }
}
