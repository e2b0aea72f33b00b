package io.bucketwright.app.claim;

import io.bucketwright.api.BucketEndpoint;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.app.command.ObjectTime;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Details of one claim and of the objects that belong to it.
 *
 * @param secretKeys names of the keys in its Secret; empty if it does not exist or may not be read
 * @param classMissing whether its StorageClass does not exist
 */
record ClaimDescription(
        ObjectBucketClaim claim,
        Optional<ObjectBucket> bucket,
        Set<String> secretKeys,
        List<Event> events,
        List<Event> bucketEvents,
        boolean classMissing) {

    List<String> lines(Instant now) {
        List<String> lines = new ArrayList<>();
        ClaimRow row = ClaimRow.of(claim, bucket.orElse(null));
        field(lines, "Name", row.name());
        field(lines, "Namespace", row.namespace());
        field(lines, "Class", row.storageClass().isEmpty() ? "(the default bucket class)" : row.storageClass());
        field(lines, "Bucket", row.bucket());
        field(lines, "Phase", row.phase() + (Metadata.isBeingDeleted(claim) ? ", being deleted" : ""));
        field(lines, "Age", ClaimText.age(row.created(), now));
        new TreeMap<>(claim.getSpec().options()).forEach((key, value) -> field(lines, "Option", key + "=" + value));
        conditions(lines, now);
        object(lines);
        lines.add("Secret " + row.name() + ":");
        lines.add(
                secretKeys.isEmpty()
                        ? "  does not exist, or you may not read it"
                        : "  keys " + ClaimText.plain(String.join(", ", secretKeys)));
        lines.addAll(
                events(Stream.concat(events.stream(), bucketEvents.stream()).toList(), now));
        return lines;
    }

    private void conditions(List<String> lines, Instant now) {
        lines.add("Conditions:");
        List<Condition> conditions = ClaimText.conditions(claim.getStatus());
        for (Condition condition : conditions) {
            lines.add("  " + ClaimText.plain(condition.getType()) + "=" + ClaimText.plain(condition.getStatus()) + " "
                    + ClaimText.plain(condition.getReason()) + " for "
                    + ClaimText.age(condition.getLastTransitionTime(), now)
                    + ": " + ClaimText.plain(condition.getMessage()));
        }
        if (conditions.isEmpty()) {
            lines.add("  none. " + ClaimText.noConditions(claim, classMissing));
        }
    }

    private void object(List<String> lines) {
        if (bucket.isEmpty()) {
            lines.add("ObjectBucket:");
            lines.add(
                    "  " + claim.getSpec().objectBucket().map(ClaimText::plain).orElse("none yet")
                            + claim.getSpec()
                                    .objectBucket()
                                    .map(_ -> " (does not exist, or you may not read it)")
                                    .orElse(""));
            return;
        }
        ObjectBucket found = bucket.get();
        lines.add("ObjectBucket " + found.getMetadata().getName() + ":");
        lines.add("  phase " + found.phase() + (Metadata.isBeingDeleted(found) ? ", being deleted" : ""));
        lines.add("  reclaim policy "
                + ClaimText.plain(
                        Optional.ofNullable(found.getSpec().reclaimPolicy()).orElse(ClaimText.NOTHING)));
        found.getSpec().recordedIntent().ifPresent(intent -> {
            lines.add("  provisioner " + ClaimText.plain(intent.provisioner()));
            lines.add(
                    "  bucket " + ClaimText.plain(intent.bucketName()) + " (" + ClaimText.plain(intent.origin()) + ")");
        });
        found.getSpec().reachableAt().ifPresent(endpoint -> lines.add("  at " + address(endpoint)));
        lines.addAll(AccessRow.lines(RecordedAccess.of(found)));
    }

    private static String address(BucketEndpoint endpoint) {
        String host = ClaimText.plain(endpoint.bucketHost());
        return endpoint.bucketPort() == null ? host : host + ":" + endpoint.bucketPort();
    }

    /** Events, one per line. */
    static List<String> events(List<Event> all, Instant now) {
        List<String> lines = new ArrayList<>();
        lines.add("Events:");
        for (Event event : all) {
            lines.add("  " + ClaimText.duration(Duration.between(ObjectTime.of(event), now)) + " ago "
                    + ClaimText.plain(event.getType()) + " " + ClaimText.plain(event.getReason()) + ": "
                    + ClaimText.plain(event.getMessage()));
        }
        if (all.isEmpty()) {
            lines.add("  none");
        }
        return lines;
    }

    static void field(List<String> lines, String name, String value) {
        String plain = ClaimText.plain(value);
        lines.add("%-11s%s".formatted(name + ":", plain.isEmpty() ? ClaimText.NOTHING : plain));
    }
}
