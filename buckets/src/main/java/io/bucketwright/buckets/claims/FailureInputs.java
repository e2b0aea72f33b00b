package io.bucketwright.buckets.claims;

import io.bucketwright.buckets.requests.ContentDigest;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;

/** What a failure depends on, as one text. While it is unchanged, a retry has to wait for the back-off. */
final class FailureInputs {

    private FailureInputs() {}

    static String of(ClaimObservation observed) {
        return ContentDigest.of(Map.of(
                "claim", observed.claim().map(FailureInputs::text).orElse("absent"),
                "bucket",
                        observed.bucket()
                                .map(bucket -> Metadata.inputs(bucket.object()))
                                .orElse("absent"),
                "class", observed.bucketClass().toString(),
                "sharers", Long.toString(observed.sharers())));
    }

    private static String text(HasMetadata claim) {
        return claim.getMetadata().getGeneration() + " " + Metadata.inputs(claim);
    }
}
