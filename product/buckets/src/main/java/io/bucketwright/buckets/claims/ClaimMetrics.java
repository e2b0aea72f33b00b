package io.bucketwright.buckets.claims;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.objects.ProvisionerSettings;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.objects.RotationRequest;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.metrics.CredentialAge;
import io.bucketwright.runtime.metrics.CredentialAge.Rotation;
import io.bucketwright.runtime.metrics.RoleMetrics;
import io.bucketwright.runtime.metrics.StatusLabels;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.grants.Grant.State;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** What the metrics count in the caches: claims by phase and reason, and the age of their credentials. */
record ClaimMetrics(ClaimCaches caches, ClassLookup classes, ProvisionerSettings settings, TimeSource time) {

    static final String KIND = "ObjectBucketClaim";

    void register(RoleMetrics metrics) {
        metrics.claims(KIND, this::claims);
        metrics.credentials(this::credentials, time::now);
        metrics.unconfirmedGrants(KIND, this::unconfirmed);
    }

    private Stream<StatusLabels> claims() {
        return caches.claims.list().stream().filter(this::isServed).map(ClaimMetrics::labels);
    }

    private static StatusLabels labels(ObjectBucketClaim claim) {
        return StatusLabels.of(claim, claim.phase().text(), ClaimStatus.conditions(claim));
    }

    /** Also a claim whose class no longer exists. */
    private boolean isServed(ObjectBucketClaim claim) {
        return !(classes.of(claim) instanceof ResolvedClass.NotServed)
                || settings.isProvisioner(Metadata.annotation(claim, ObjectBucketNames.PROVISIONER_ANNOTATION));
    }

    private Stream<CredentialAge> credentials() {
        Instant now = time.now();
        return caches.buckets.list().stream()
                .filter(bucket -> bucket.phase() == Phase.BOUND)
                .flatMap(bucket -> credentials(bucket, now));
    }

    private Stream<CredentialAge> credentials(ObjectBucket object, Instant now) {
        RecordedBucket bucket = new RecordedBucket(object);
        return bucket.complete() && isServed(bucket)
                ? RecordedBucket.claimOf(object).stream()
                        .flatMap(key -> claim(key).stream())
                        .map(claim -> CredentialAge.of(
                                object,
                                bucket.grants().rotatedFor(),
                                rotation(RotationRequest.of(claim, bucket, "", now)),
                                now))
                : Stream.empty();
    }

    /** An ObjectBucket whose ledger cannot be read is reported on its claim. */
    private boolean isServed(RecordedBucket bucket) {
        return bucket.findIntent()
                        .filter(intent -> settings.isProvisioner(intent.provisioner()))
                        .isPresent()
                && bucket.hasReadableGrants();
    }

    private long unconfirmed() {
        return caches.buckets.list().stream()
                .map(RecordedBucket::new)
                .filter(this::isServed)
                .flatMap(bucket -> bucket.grants().ledger().in(State.UNCONFIRMED))
                .count();
    }

    private Optional<ObjectBucketClaim> claim(ObjectKey key) {
        return caches.claims.get(key.namespace(), key.name()).filter(key::names);
    }

    private static Rotation rotation(RotationRequest request) {
        return switch (request) {
            case RotationRequest.None _ -> Rotation.NONE;
            case RotationRequest.Scheduled _, RotationRequest.Outdated _ -> Rotation.SCHEDULED;
            case RotationRequest.Due _ -> Rotation.OVERDUE;
            case RotationRequest.Invalid _ -> Rotation.INVALID;
        };
    }
}
