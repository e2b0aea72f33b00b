package io.bucketwright.buckets.claims;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Map;
import java.util.TreeMap;

/** What a failure depends on, as one text: while it is the same, nobody has changed anything that could help. */
final class Inputs {

    private Inputs() {}

    static String of(Observed observed) {
        return Digest.of(Map.of(
                "claim", observed.claim().map(Inputs::text).orElse("gone"),
                "bucket", observed.bucket().map(Inputs::metadata).orElse("none"),
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
