package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.runtime.status.ReadyCondition;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Optional;

/** The problem that the sidecar reports on a Bucket. */
final class BucketProblem {

    private BucketProblem() {}

    /** Whether no sidecar has ever reported anything about the Bucket. */
    public static boolean isUnserved(Bucket bucket) {
        return !bucket.provisioned()
                && bucket.phase() == BucketPhase.CREATING
                && bucket.status().conditions().isEmpty()
                && bucket.status().message().isEmpty();
    }

    /** Why nothing happens to a Bucket that no sidecar has ever reported about. */
    public static String unserved(Bucket bucket) {
        return "No sidecar has reported anything about Bucket "
                + bucket.getMetadata().getName() + " yet. Check that the provisioner "
                + bucket.getSpec().provisioner() + " of BucketClass "
                + bucket.getSpec().bucketClassName() + " exists and that its sidecar is running.";
    }

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
