package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.cache.CacheListener;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.volumes.podclaims.Marks;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which claims our provisioner made. The label alone proves nothing, any tenant can write it; beside it the claim must
 * belong to a pod. Claims that are gone are remembered for a while, because a short-lived one can go before its volume is
 * seen Bound.
 */
final class OurClaims implements CacheListener<PersistentVolumeClaim> {

    private static final int REMEMBERED = 4096;

    private final ObjectCache<PersistentVolumeClaim> labelled;
    private final Set<String> gone = Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    }));

    /**
     * Begins to listen.
     *
     * @param labelled claims with the label of our id
     */
    OurClaims(ObjectCache<PersistentVolumeClaim> labelled) {
        this.labelled = labelled;
        labelled.listen(this);
    }

    /** Whether the claim that the volume is, or was, bound to is ours. */
    boolean had(PersistentVolume volume) {
        String uid = Volumes.claimUid(volume);
        if (uid.isEmpty()) {
            return false;
        }
        return gone.contains(uid)
                || Volumes.claim(volume)
                        .flatMap(this::claim)
                        .filter(claim -> uid.equals(claim.getMetadata().getUid()))
                        .filter(claim -> Marks.controllingPod(claim).isPresent())
                        .isPresent();
    }

    @Override
    public void changed(PersistentVolumeClaim before, PersistentVolumeClaim after) {
        // The cache has it.
    }

    @Override
    public void deleted(PersistentVolumeClaim last) {
        // Also called for a claim that only lost its label; then it was ours while it was bound.
        if (Marks.controllingPod(last).isPresent()) {
            gone.add(last.getMetadata().getUid());
        }
    }

    private Optional<PersistentVolumeClaim> claim(ObjectReference reference) {
        return labelled.get(reference.getNamespace(), reference.getName());
    }
}
