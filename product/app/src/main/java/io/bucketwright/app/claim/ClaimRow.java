package io.bucketwright.app.claim;

import io.bucketwright.api.BucketEndpoint;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One row of the list of claims.
 *
 * @param kind ObjectBucketClaim, or BucketClaim
 * @param storageClass the StorageClass or BucketClass; empty if the claim names none
 * @param bucket empty until a name is chosen
 * @param reason of the Ready condition; empty if there is none. Of a BucketClaim, what the controller would report
 */
record ClaimRow(
        String kind,
        String namespace,
        String name,
        String storageClass,
        String bucket,
        String phase,
        String reason,
        String message,
        String created) {

    /** The spec of a claim on an existing bucket has no bucket name; the name is then taken from its ObjectBucket. */
    static ClaimRow of(ObjectBucketClaim claim, @Nullable ObjectBucket object) {
        Optional<Condition> ready = ClaimText.ready(claim);
        return new ClaimRow(
                claim.getKind(),
                claim.getMetadata().getNamespace(),
                claim.getMetadata().getName(),
                claim.getSpec().storageClass().orElse(""),
                claim.getSpec()
                        .bucket()
                        .or(() -> Optional.ofNullable(object)
                                .flatMap(bucket -> bucket.getSpec().reachableAt())
                                .flatMap(BucketEndpoint::bucket))
                        .orElse(""),
                claim.phase().text(),
                ready.map(Condition::getReason).orElse(""),
                ready.map(Condition::getMessage).orElse(""),
                Optional.ofNullable(claim.getMetadata().getCreationTimestamp()).orElse(""));
    }

    /**
     * A BucketClaim. The kind has no phase and no conditions.
     *
     * @param explanation reason and message
     */
    static ClaimRow of(BucketClaim claim, String explanation) {
        int colon = explanation.indexOf(": ");
        boolean hasReason = colon > 0 && !explanation.substring(0, colon).contains(" ");
        return new ClaimRow(
                claim.getKind(),
                claim.getMetadata().getNamespace(),
                claim.getMetadata().getName(),
                claim.spec().bucketClassName(),
                claim.status().bucketName(),
                phase(claim),
                hasReason ? explanation.substring(0, colon) : "",
                hasReason ? explanation.substring(colon + 2) : explanation,
                Optional.ofNullable(claim.getMetadata().getCreationTimestamp()).orElse(""));
    }

    /** As in the metric of claims. */
    private static String phase(BucketClaim claim) {
        if (Metadata.isBeingDeleted(claim)) {
            return "Deleting";
        }
        return claim.status().bucketReady() ? "Bound" : "Pending";
    }

    /** A table with a header. */
    static List<String> table(List<ClaimRow> rows, Instant now) {
        List<String> head = List.of("NAMESPACE", "NAME", "KIND", "CLASS", "BUCKET", "PHASE", "REASON", "AGE");
        List<List<String>> cells = new ArrayList<>(List.of(head));
        rows.forEach(row -> cells.add(row.cells(now)));
        return TextTable.of(cells);
    }

    private List<String> cells(Instant now) {
        return List.of(
                TextTable.cell(namespace),
                TextTable.cell(name),
                kind,
                TextTable.cell(storageClass),
                TextTable.cell(bucket),
                TextTable.cell(phase),
                TextTable.cell(reason),
                ClaimText.age(created, now));
    }
}
