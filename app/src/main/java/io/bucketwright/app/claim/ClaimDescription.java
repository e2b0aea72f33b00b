package io.bucketwright.app.claim;

import io.bucketwright.api.BucketEndpoint;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
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
 * All that a person may want to know about one claim.
 *
 * @param secretKeys names of the keys in its Secret; empty if there is none to be seen
 * @param classMissing whether it names a class that is not there
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
        ClaimRow row = ClaimRow.of(claim, bucket);
        field(lines, "Name", row.name());
        field(lines, "Namespace", row.namespace());
        field(lines, "Class", row.storageClass().isEmpty() ? "(the default bucket class)" : row.storageClass());
        field(lines, "Bucket", row.bucket());
        field(lines, "Phase", row.phase() + (Words.isGoing(claim) ? ", being deleted" : ""));
        field(lines, "Age", Words.age(row.created(), now));
        new TreeMap<>(claim.getSpec().options()).forEach((key, value) -> field(lines, "Option", key + "=" + value));
        conditions(lines, now);
        object(lines);
        lines.add("Secret " + row.name() + ":");
        lines.add(
                secretKeys.isEmpty()
                        ? "  none, or you may not read it"
                        : "  keys " + Words.plain(String.join(", ", secretKeys)));
        events(lines, now);
        return lines;
    }

    private void conditions(List<String> lines, Instant now) {
        lines.add("Conditions:");
        List<Condition> conditions = Words.conditions(claim.getStatus());
        for (Condition condition : conditions) {
            lines.add("  " + Words.plain(condition.getType()) + "=" + Words.plain(condition.getStatus()) + " "
                    + Words.plain(condition.getReason()) + " for " + Words.age(condition.getLastTransitionTime(), now)
                    + ": " + Words.plain(condition.getMessage()));
        }
        if (conditions.isEmpty()) {
            lines.add("  " + silence());
        }
    }

    /** Why nobody has said anything: what most often puzzles people about a claim. */
    private String silence() {
        if (classMissing) {
            return "none. StorageClass "
                    + Words.plain(claim.getSpec().storageClass().orElse(""))
                    + " is not there; the claim goes on by itself once it is.";
        }
        return "none. No controller has looked at the claim: is one running for the provisioner of its class?"
                + " Schemas of other vendors keep no conditions; then see the events.";
    }

    private void object(List<String> lines) {
        if (bucket.isEmpty()) {
            lines.add("ObjectBucket:");
            lines.add("  " + claim.getSpec().objectBucket().map(Words::plain).orElse("none yet")
                    + claim.getSpec()
                            .objectBucket()
                            .map(_ -> " (gone, or you may not read it)")
                            .orElse(""));
            return;
        }
        ObjectBucket it = bucket.get();
        lines.add("ObjectBucket " + it.getMetadata().getName() + ":");
        lines.add("  phase " + it.phase() + (Words.isGoing(it) ? ", being deleted" : ""));
        lines.add("  reclaim policy "
                + Words.plain(Optional.ofNullable(it.getSpec().reclaimPolicy()).orElse(Words.NOTHING)));
        it.getSpec().recordedIntent().ifPresent(intent -> {
            lines.add("  provisioner " + Words.plain(intent.provisioner()));
            lines.add("  bucket " + Words.plain(intent.bucketName()) + " (" + Words.plain(intent.origin()) + ")");
        });
        it.getSpec().reachableAt().ifPresent(endpoint -> lines.add("  at " + address(endpoint)));
    }

    private static String address(BucketEndpoint endpoint) {
        String host = Words.plain(endpoint.bucketHost());
        return endpoint.bucketPort() == null ? host : host + ":" + endpoint.bucketPort();
    }

    private void events(List<String> lines, Instant now) {
        lines.add("Events:");
        List<Event> all = Stream.concat(events.stream(), bucketEvents.stream()).toList();
        for (Event event : all) {
            lines.add("  " + Words.duration(Duration.between(time(event), now)) + " ago "
                    + Words.plain(event.getType()) + " " + Words.plain(event.getReason()) + ": "
                    + Words.plain(event.getMessage()));
        }
        if (all.isEmpty()) {
            lines.add("  none");
        }
    }

    /** When an event last happened, in whichever of its fields that stands. */
    static Instant time(Event event) {
        return Words.instant(event.getLastTimestamp())
                .or(() -> Optional.ofNullable(event.getSeries())
                        .flatMap(series -> Optional.ofNullable(series.getLastObservedTime()))
                        .flatMap(time -> Words.instant(time.getTime())))
                .or(() -> Optional.ofNullable(event.getEventTime()).flatMap(time -> Words.instant(time.getTime())))
                .or(() -> Words.instant(event.getMetadata().getCreationTimestamp()))
                .orElse(Instant.EPOCH);
    }

    private static void field(List<String> lines, String name, String value) {
        String plain = Words.plain(value);
        lines.add("%-11s%s".formatted(name + ":", plain.isEmpty() ? Words.NOTHING : plain));
    }
}
