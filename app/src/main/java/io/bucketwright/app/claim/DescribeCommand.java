package io.bucketwright.app.claim;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.app.command.BaseCommand;
import io.fabric8.kubernetes.api.model.Event;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code bucketwright claim describe}. */
@Command(
        name = "describe",
        mixinStandardHelpOptions = true,
        description = "Shows a claim, its bucket, conditions and events.")
final class DescribeCommand extends BaseCommand {

    /** Namespace of the events of cluster-scoped objects. */
    private static final String DEFAULT = "default";

    @Mixin
    private ClaimScope scope = new ClaimScope();

    @Parameters(paramLabel = "NAME", description = "Name of the claim.")
    private String name = "";

    @Override
    public Integer call() {
        try (ClaimClient claims = scope.open()) {
            String namespace = scope.namespace();
            ObjectBucketClaim claim = claims.read(namespace, name);
            Optional<ObjectBucket> bucket = claims.bucketOf(claim);
            List<Event> events = claims.events(claim, namespace);
            List<Event> bucketEvents =
                    bucket.map(found -> claims.events(found, DEFAULT)).orElse(List.of());
            new ClaimDescription(
                            claim, bucket, claims.secretKeys(claim), events, bucketEvents, claims.isClassMissing(claim))
                    .lines(Instant.now())
                    .forEach(out()::println);
            return 0;
        }
    }
}
