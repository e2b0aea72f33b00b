package io.bucketwright.app.claim;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.fabric8.kubernetes.api.model.Event;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code bucketwright claim describe}. */
@Command(
        name = "describe",
        mixinStandardHelpOptions = true,
        description = "Shows a claim, its bucket, conditions and events.")
final class DescribeCommand extends ExistingClaimCommand {

    /** Namespace of the events of cluster-scoped objects. */
    private static final String DEFAULT = "default";

    @Override
    void run(ClaimClient claims, ObjectBucketClaim claim) {
        Optional<ObjectBucket> bucket = claims.bucketOf(claim);
        List<Event> events = claims.events(claim, claim.getMetadata().getNamespace());
        List<Event> bucketEvents =
                bucket.map(found -> claims.events(found, DEFAULT)).orElse(List.of());
        new ClaimDescription(
                        claim, bucket, claims.secretKeys(claim), events, bucketEvents, claims.isClassMissing(claim))
                .lines(Instant.now())
                .forEach(out()::println);
    }
}
