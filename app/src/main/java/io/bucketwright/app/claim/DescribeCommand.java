package io.bucketwright.app.claim;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.app.AnsweringCommand;
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
        description = "Shows a claim, what was made for it, and why it stands where it stands.")
final class DescribeCommand extends AnsweringCommand {

    /** Where the events of objects are that have no namespace. */
    private static final String DEFAULT = "default";

    @Mixin
    private ClaimScope scope = new ClaimScope();

    @Parameters(paramLabel = "NAME", description = "The claim.")
    private String name = "";

    @Override
    public Integer call() {
        try (Claims claims = scope.open()) {
            String namespace = scope.namespace();
            ObjectBucketClaim claim = claims.read(namespace, name);
            Optional<ObjectBucket> bucket = claims.bucketOf(claim);
            List<Event> events = claims.events(claim, namespace);
            List<Event> bucketEvents =
                    bucket.map(it -> claims.events(it, DEFAULT)).orElse(List.of());
            boolean classMissing = claim.getSpec()
                    .storageClass()
                    .filter(it -> !claims.hasClass(it))
                    .isPresent();
            new ClaimDescription(claim, bucket, claims.secretKeys(claim), events, bucketEvents, classMissing)
                    .lines(Instant.now())
                    .forEach(out()::println);
            return 0;
        }
    }
}
