package io.bucketwright.app.claim;

import io.bucketwright.api.BucketEndpoint;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One row of the list of claims.
 *
 * @param storageClass empty if the claim names none
 * @param bucket empty until a name is chosen
 * @param reason of the Ready condition; empty if there is none
 */
record ClaimRow(
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

    /** A table with a header. */
    static List<String> table(List<ClaimRow> rows, Instant now) {
        List<String> head = List.of("NAMESPACE", "NAME", "CLASS", "BUCKET", "PHASE", "REASON", "AGE");
        List<List<String>> cells = new ArrayList<>(List.of(head));
        rows.forEach(row -> cells.add(row.cells(now)));
        return TextTable.of(cells);
    }

    private List<String> cells(Instant now) {
        return List.of(
                TextTable.cell(namespace),
                TextTable.cell(name),
                TextTable.cell(storageClass),
                TextTable.cell(bucket),
                TextTable.cell(phase),
                TextTable.cell(reason),
                ClaimText.age(created, now));
    }
}
