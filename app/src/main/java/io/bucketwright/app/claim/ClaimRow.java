package io.bucketwright.app.claim;

import io.bucketwright.api.BucketEndpoint;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A claim, as a list shows it.
 *
 * @param storageClass empty if it names none
 * @param bucket empty while none is chosen
 * @param reason empty if nobody has said anything
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

    /** A claim on an existing bucket does not name it; its ObjectBucket does, for those who may read it. */
    static ClaimRow of(ObjectBucketClaim claim, Optional<ObjectBucket> object) {
        Optional<Condition> ready = Words.ready(claim);
        return new ClaimRow(
                claim.getMetadata().getNamespace(),
                claim.getMetadata().getName(),
                claim.getSpec().storageClass().orElse(""),
                claim.getSpec()
                        .bucket()
                        .or(() ->
                                object.flatMap(it -> it.getSpec().reachableAt()).flatMap(BucketEndpoint::bucket))
                        .orElse(""),
                claim.phase().text(),
                ready.map(Condition::getReason).orElse(""),
                ready.map(Condition::getMessage).orElse(""),
                Optional.ofNullable(claim.getMetadata().getCreationTimestamp()).orElse(""));
    }

    /** Lines of a table, as wide as they need to be. */
    static List<String> table(List<ClaimRow> rows, Instant now) {
        List<String> head = List.of("NAMESPACE", "NAME", "CLASS", "BUCKET", "PHASE", "REASON", "AGE");
        List<List<String>> cells = new ArrayList<>(List.of(head));
        rows.forEach(row -> cells.add(row.cells(now)));
        int[] widths = IntStream.range(0, head.size())
                .map(column -> cells.stream()
                        .mapToInt(line -> line.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return cells.stream().map(line -> join(line, widths)).toList();
    }

    private List<String> cells(Instant now) {
        return List.of(
                shown(namespace),
                shown(name),
                shown(storageClass),
                shown(bucket),
                shown(phase),
                shown(reason),
                Words.age(created, now));
    }

    private static String shown(String text) {
        String plain = Words.plain(text);
        return plain.isEmpty() ? Words.NOTHING : plain;
    }

    private static String join(List<String> line, int[] widths) {
        StringBuilder text = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            text.append(line.get(column))
                    .repeat(" ", widths[column] - line.get(column).length() + 3);
        }
        return text.toString().stripTrailing();
    }
}
