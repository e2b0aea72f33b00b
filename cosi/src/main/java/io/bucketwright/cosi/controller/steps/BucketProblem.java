package io.bucketwright.cosi.controller.steps;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.runtime.status.ReadyCondition;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Optional;

/** The problem that the sidecar reports on a Bucket. */
public final class BucketProblem {

    private BucketProblem() {}

    /** The message; empty if there is no problem. */
    public static String of(Bucket bucket) {
        Optional<Condition> ready = bucket.status().condition(ReadyCondition.TYPE);
        if (ready.isEmpty()) {
            return bucket.status().message();
        }
        boolean problem = "False".equals(ready.get().getStatus())
                && !ProvisionerReason.of(ready.get().getReason()).isInformational();
        return problem ? ready.get().getMessage() : "";
    }
}
