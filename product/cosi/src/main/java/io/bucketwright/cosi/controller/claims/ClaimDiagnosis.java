package io.bucketwright.cosi.controller.claims;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Why a BucketClaim is not ready, or not deleted. The kind has no conditions, and events expire, so this is what the controller
 * would decide now.
 *
 * @param bucket that the claim names, or that has the name of a new one
 * @param bucketClass that the claim names
 * @param accesses the BucketAccesses through the claim
 */
public record ClaimDiagnosis(
        BucketClaim claim,
        Optional<ReleasedBucket> bucket,
        Optional<ReleasedBucketClass> bucketClass,
        List<ReleasedBucketAccess> accesses) {

    private static final Moment LONG_AGO = new Moment(0);
    private static final Moment NOW = LONG_AGO.plus(Duration.ofDays(1));

    public ClaimDiagnosis {
        accesses = List.copyOf(accesses);
    }

    /** The diagnosis of a claim, with what belongs to it among all Buckets, classes and BucketAccesses. */
    public static ClaimDiagnosis of(
            BucketClaim claim,
            Collection<ReleasedBucket> buckets,
            Collection<ReleasedBucketClass> classes,
            Collection<ReleasedBucketAccess> accesses) {
        return new ClaimDiagnosis(
                claim,
                named(buckets, bucketName(claim)).or(() -> restored(buckets, claim)),
                named(classes, claim.spec().bucketClassName()),
                accesses.stream()
                        .filter(access -> access.getMetadata()
                                        .getNamespace()
                                        .equals(claim.getMetadata().getNamespace())
                                && access.spec()
                                        .bucketClaimName()
                                        .equals(claim.getMetadata().getName()))
                        .toList());
    }

    /** The Bucket in the status, else the one that the claim names, else the one that has the name of a new one. */
    public static String bucketName(BucketClaim claim) {
        String name = claim.status().bucketName().isEmpty()
                ? claim.spec().existingBucketName()
                : claim.status().bucketName();
        return name.isEmpty() ? ReleasedNames.bucketOf(claim.getMetadata().getUid()) : name;
    }

    private static <T extends HasMetadata> Optional<T> named(Collection<T> objects, String name) {
        return objects.stream()
                .filter(object -> object.getMetadata().getName().equals(name))
                .findFirst();
    }

    private static Optional<ReleasedBucket> restored(Collection<ReleasedBucket> buckets, BucketClaim claim) {
        return buckets.stream()
                .filter(bucket -> BucketReservation.of(bucket, claim) == BucketReservation.RESTORED)
                .findFirst();
    }

    /** Reason and message, on one line. */
    public String explain(Instant now) {
        return switch (decide(BucketClaimState.NONE, now)) {
            case Decision.Act<BucketClaimStep>(BucketClaimStep.Wait(BucketClaim _, String reason)) ->
                text(decide(BucketClaimState.NONE.waiting(reason, LONG_AGO), now));
            case Decision<BucketClaimStep> decision -> text(decision);
        };
    }

    private String text(Decision<BucketClaimStep> decision) {
        return switch (decision) {
            case Decision.Act<BucketClaimStep>(BucketClaimStep.Report report) ->
                report.reason() + ": " + report.message();
            case Decision.Act<BucketClaimStep> _ ->
                "The controller has not finished its part. If this does not change, check that"
                        + " `bucketwright cosi controller` runs.";
            case Decision.Finish<BucketClaimStep> _ ->
                claim.status().bucketReady() && !Metadata.isBeingDeleted(claim)
                        ? ReleasedReason.BOUND + ": Bucket " + claim.status().bucketName() + " is ready."
                        : "The sidecar of the driver is at work.";
        };
    }

    private Decision<BucketClaimStep> decide(BucketClaimState state, Instant now) {
        return new BucketClaimDecision(new BucketClaimObservation(
                        claim, bucket, bucketClass, accesses, state, Optional.empty(), NOW, now))
                .decide();
    }
}
