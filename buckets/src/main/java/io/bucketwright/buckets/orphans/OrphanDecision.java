package io.bucketwright.buckets.orphans;

import io.bucketwright.api.Phase;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import java.time.Duration;
import java.time.Instant;

/**
 * Decides which objects are orphans, and when to act.
 *
 * @param grace how long an orphan is only reported
 * @param dryRun whether orphans are only ever reported
 */
public record OrphanDecision(Duration grace, boolean dryRun) {

    public OrphanDecision {
        if (grace.isNegative()) {
            throw new IllegalArgumentException("The grace period must not be negative, got " + grace);
        }
    }

    Decision<OrphanStep> decide(OrphanObservation observed) {
        return switch (observed) {
            case OrphanObservation.Bucket bucket -> decide(bucket);
            case OrphanObservation.Claim claim -> decide(claim);
        };
    }

    private Decision<OrphanStep> decide(OrphanObservation.Bucket observed) {
        // A claim of the same name with another uid is what a restored backup looks like: never an orphan.
        return observed.bucket()
                .filter(bucket -> !Metadata.isBeingDeleted(bucket) && !observed.nameInUse())
                .flatMap(bucket -> observed.claim()
                        .map(claim -> afterGrace(
                                observed,
                                new OrphanStep.Report(
                                        bucket,
                                        "Orphaned",
                                        "The claim " + claim + " of this ObjectBucket no longer exists. "
                                                + announcement()),
                                new OrphanStep.DeleteBucket(bucket, claim))))
                .orElse(Decision.done());
    }

    private Decision<OrphanStep> decide(OrphanObservation.Claim observed) {
        return observed.claim()
                .filter(claim -> !Metadata.isBeingDeleted(claim) && !observed.hasBucket())
                .filter(claim -> claim.phase() == Phase.BOUND)
                .filter(claim -> claim.getSpec().objectBucket().isPresent())
                .map(claim -> afterGrace(
                        observed,
                        new OrphanStep.Report(
                                claim,
                                "ObjectBucketLost",
                                "The ObjectBucket "
                                        + claim.getSpec().objectBucket().orElse("")
                                        + " of this claim no longer exists: delete the claim, and create a new one if"
                                        + " a bucket is needed."),
                        new OrphanStep.ReleaseClaim(claim)))
                .orElse(Decision.done());
    }

    private String announcement() {
        return dryRun
                ? "Nothing is changed, because this is a dry run."
                : "The ObjectBucket will be deleted in " + grace + ", and its provisioner then releases the bucket.";
    }

    private Decision<OrphanStep> afterGrace(OrphanObservation observed, OrphanStep report, OrphanStep act) {
        if (observed.reported().isEmpty()) {
            return Decision.act(report);
        }
        if (dryRun) {
            return Decision.done();
        }
        Instant end = observed.reported().get().plus(grace);
        return observed.now().isBefore(end)
                ? Decision.finish(Result.requeueAfter(Duration.between(observed.now(), end)))
                : Decision.act(act);
    }
}
