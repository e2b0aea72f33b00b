package io.bucketwright.buckets.claims;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.runtime.ObjectKey;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which claim an ObjectBucket was made for. */
public final class ClaimOfBucket {

    private ClaimOfBucket() {}

    /** As its intent or, in others' buckets, its claimRef says; empty if neither does, or not by uid. */
    public static Optional<ObjectKey> of(ObjectBucket bucket) {
        return bucket.getSpec()
                .recordedIntent()
                .filter(intent ->
                        !intent.claimUid().isEmpty() && !intent.claimName().isEmpty())
                .map(intent -> new ObjectKey(intent.claimNamespace(), intent.claimName(), intent.claimUid()))
                .or(() -> bucket.getSpec().claim().flatMap(ClaimOfBucket::key));
    }

    private static Optional<ObjectKey> key(ObjectReference claim) {
        @Nullable String uid = claim.getUid();
        @Nullable String name = claim.getName();
        @Nullable String namespace = claim.getNamespace();
        return uid == null || uid.isEmpty() || name == null || name.isEmpty()
                ? Optional.empty()
                : Optional.of(new ObjectKey(namespace == null ? "" : namespace, name, uid));
    }
}
