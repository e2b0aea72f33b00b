package io.bucketwright.app.doctor.checks;

import io.bucketwright.api.ObjectBucket;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.util.Objects;
import java.util.Optional;

/** The claim that an ObjectBucket belongs to, from its intent or its claimRef. */
record OwningClaim(String namespace, String name, String uid) {

    /** Empty if neither contains a uid. */
    static Optional<OwningClaim> of(ObjectBucket bucket) {
        return bucket.getSpec()
                .recordedIntent()
                .map(intent -> new OwningClaim(intent.claimNamespace(), intent.claimName(), intent.claimUid()))
                .filter(OwningClaim::isComplete)
                .or(() -> bucket.getSpec().claim().map(OwningClaim::of).filter(OwningClaim::isComplete));
    }

    private static OwningClaim of(ObjectReference claim) {
        return new OwningClaim(
                Objects.requireNonNullElse(claim.getNamespace(), ""),
                Objects.requireNonNullElse(claim.getName(), ""),
                Objects.requireNonNullElse(claim.getUid(), ""));
    }

    private boolean isComplete() {
        return !name.isEmpty() && !uid.isEmpty();
    }
}
