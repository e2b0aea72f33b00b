package io.bucketwright.app.claim;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.app.command.BaseCommand;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
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
        description = "Shows a claim, its bucket, conditions and events. BucketClaims and BucketAccesses"
                + " (objectstorage.k8s.io) have no conditions; for them, shows why they are not ready.")
final class DescribeCommand extends BaseCommand {

    /** Namespace of the events of cluster-scoped objects. */
    private static final String DEFAULT = "default";

    private static final String BUCKET_CLAIM = "bucketclaim/";
    private static final String BUCKET_ACCESS = "bucketaccess/";

    @Mixin
    private ClaimScope scope = new ClaimScope();

    @Parameters(
            paramLabel = "NAME",
            description = "Name of the claim. bucketclaim/NAME and bucketaccess/NAME select the kind; without that, an"
                    + " ObjectBucketClaim, else a BucketClaim, else a BucketAccess.")
    private String name = "";

    @Override
    public Integer call() {
        try (ClaimClient claims = scope.open()) {
            lines(claims, scope.namespace(), Instant.now()).forEach(out()::println);
            return 0;
        }
    }

    private List<String> lines(ClaimClient claims, String namespace, Instant now) {
        ReleasedClaimDescription released = new ReleasedClaimDescription(claims, now);
        Optional<ObjectBucketClaim> claim = name.contains("/") ? Optional.empty() : claims.find(namespace, name);
        if (claim.isPresent()) {
            return describe(claims, claim.get(), now);
        }
        return find(claims, BucketClaim.class, BUCKET_CLAIM, namespace)
                .map(released::lines)
                .or(() -> find(claims, ReleasedBucketAccess.class, BUCKET_ACCESS, namespace)
                        .map(released::lines))
                .orElseGet(() -> describe(claims, claims.read(namespace, name), now));
    }

    /** The object, unless the name selects another kind. */
    private <T extends HasMetadata> Optional<T> find(
            ClaimClient claims, Class<T> type, String prefix, String namespace) {
        if (name.contains("/") && !name.startsWith(prefix)) {
            return Optional.empty();
        }
        return claims.lookup(type, namespace, name.substring(name.indexOf('/') + 1))
                .object();
    }

    private static List<String> describe(ClaimClient claims, ObjectBucketClaim claim, Instant now) {
        Optional<ObjectBucket> bucket = claims.bucketOf(claim);
        List<Event> events = claims.events(claim, claim.getMetadata().getNamespace());
        List<Event> bucketEvents =
                bucket.map(found -> claims.events(found, DEFAULT)).orElse(List.of());
        return new ClaimDescription(
                        claim, bucket, claims.secretKeys(claim), events, bucketEvents, claims.isClassMissing(claim))
                .lines(now);
    }
}
