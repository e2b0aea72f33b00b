package io.bucketwright.buckets.claims;

import io.bucketwright.buckets.requests.ContentDigest;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Map;
import java.util.TreeMap;

/** What a failure depends on, as one text. While it is unchanged, a retry has to wait for the back-off. */
final class FailureInputs {

    private FailureInputs() {}

    static String of(ClaimObservation observed) {
        return ContentDigest.of(Map.of(
                "claim", observed.claim().map(FailureInputs::text).orElse("absent"),
                "bucket",
                        observed.bucket()
                                .map(bucket -> metadata(bucket.object()))
                                .orElse("absent"),
                "class", observed.bucketClass().toString(),
                "sharers", Long.toString(observed.sharers())));
    }

    private static String text(HasMetadata claim) {
        return claim.getMetadata().getGeneration() + " " + metadata(claim);
    }

    private static String metadata(HasMetadata object) {
        ObjectMeta meta = object.getMetadata();
        Map<String, String> annotations = meta.getAnnotations() == null ? Map.of() : meta.getAnnotations();
        Map<String, String> labels = meta.getLabels() == null ? Map.of() : meta.getLabels();
        return meta.getUid() + " " + meta.getDeletionTimestamp() + " " + new TreeMap<>(annotations) + " "
                + new TreeMap<>(labels);
    }
}
