package io.bucketwright.app.claim;

import io.bucketwright.api.BucketStatus;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;

/** ClaimClient as the API server shows them. */
final class ClaimSamples {

    private ClaimSamples() {}

    static ObjectBucketClaim silent(String name) {
        ObjectBucketClaim claim = new ObjectBucketClaim();
        claim.setMetadata(new ObjectMetaBuilder()
                .withNamespace("web")
                .withName(name)
                .withUid("uid-of-" + name)
                .withCreationTimestamp("2026-11-15T10:00:00Z")
                .build());
        claim.setSpec(
                ObjectBucketClaimSpec.builder().storageClassName("buckets").build());
        return claim;
    }

    static ObjectBucketClaim said(String name, Phase phase, boolean ready, String reason, String message) {
        ObjectBucketClaim claim = silent(name);
        claim.setStatus(BucketStatus.of(
                phase,
                List.of(new ConditionBuilder()
                        .withType("Ready")
                        .withStatus(ready ? "True" : "False")
                        .withReason(reason)
                        .withMessage(message)
                        .withLastTransitionTime("2026-11-15T10:01:00Z")
                        .build()),
                1));
        return claim;
    }
}
