package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.cache.CacheListener;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.volumes.ControllerId;
import io.bucketwright.volumes.podclaims.PodClaimAnnotations;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The claims that the PVC provisioner created for pods. A label alone is no proof, because any tenant can write it; the claim
 * must also be controlled by a pod. Deleted claims are remembered for a while, because a short-lived claim can be deleted
 * before its volume is observed as Bound.
 */
final class ManagedClaims implements CacheListener<PersistentVolumeClaim> {

    private static final int MAX_DELETED = 4096;

    private final ObjectCache<PersistentVolumeClaim> claims;
    private final ControllerId id;
    private final Set<String> deleted = Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MAX_DELETED;
        }
    }));

    /** Starts to listen. */
    ManagedClaims(ObjectCache<PersistentVolumeClaim> claims, ControllerId id) {
        this.claims = claims;
        this.id = id;
        claims.listen(this);
    }

    /** Whether the claim that the volume is or was bound to is managed. */
    boolean contains(PersistentVolume volume) {
        String uid = PersistentVolumes.claimUid(volume);
        return deleted.contains(uid)
                || PersistentVolumes.claim(volume)
                        .flatMap(claim -> claims.get(claim.getNamespace(), claim.getName()))
                        .filter(claim -> uid.equals(claim.getMetadata().getUid()) && isManaged(claim))
                        .isPresent();
    }

    private boolean isManaged(PersistentVolumeClaim claim) {
        return isLabelled(claim) && PodClaimAnnotations.controllingPod(claim).isPresent();
    }

    private boolean isLabelled(PersistentVolumeClaim claim) {
        return id.value().equals(Metadata.label(claim, PodClaimAnnotations.MANAGED_BY));
    }

    /** A claim that lost its label was managed while it was bound; one that lost its pod does not belong to it any more. */
    @Override
    public void changed(PersistentVolumeClaim before, PersistentVolumeClaim after) {
        if (!isLabelled(after)) {
            deleted(before);
        }
    }

    @Override
    public void deleted(PersistentVolumeClaim last) {
        if (isManaged(last)) {
            deleted.add(last.getMetadata().getUid());
        }
    }
}
