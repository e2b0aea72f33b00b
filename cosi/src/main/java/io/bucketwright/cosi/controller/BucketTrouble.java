package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.ProvisionerReason;
import io.bucketwright.api.cosi.Bucket;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Optional;

/** What the sidecar says is wrong with a Bucket. */
final class BucketTrouble {

    private BucketTrouble() {}

    /** Its message; empty if nothing is wrong. */
    static String of(Bucket bucket) {
        Optional<Condition> ready = bucket.status().condition(Said.READY);
        if (ready.isEmpty()) {
            return bucket.status().message();
        }
        boolean wrong = "False".equals(ready.get().getStatus())
                && !ProvisionerReason.of(ready.get().getReason()).isInformational();
        return wrong ? ready.get().getMessage() : "";
    }
}
