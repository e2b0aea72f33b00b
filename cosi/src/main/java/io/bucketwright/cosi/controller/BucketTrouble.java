package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Optional;
import java.util.Set;

/** What the sidecar says is wrong with a Bucket. */
final class BucketTrouble {

    /** Words with which it says that things take their course. */
    private static final Set<String> COURSE = Set.of("Deleting", "InUse", "Deleted", "Kept");

    private BucketTrouble() {}

    /** Its message; empty if nothing is wrong. */
    static String of(Bucket bucket) {
        Optional<Condition> ready = bucket.status().condition(Said.READY);
        if (ready.isEmpty()) {
            return bucket.status().message();
        }
        boolean wrong = "False".equals(ready.get().getStatus())
                && !COURSE.contains(ready.get().getReason());
        return wrong ? ready.get().getMessage() : "";
    }
}
