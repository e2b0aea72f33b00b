package io.bucketwright.buckets.orphans;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What is an orphan, and when something is done about it.
 *
 * @param grace how long it is only reported
 * @param dryRun whether nothing else is ever done
 */
public record OrphanRules(Duration grace, boolean dryRun) {

    public OrphanRules {
        if (grace.isNegative()) {
            throw new IllegalArgumentException("The grace period cannot be negative, got " + grace);
        }
    }

    /** What is known about one object. */
    sealed interface Observed {

        Instant now();

        /** When it was first seen as an orphan by this process; empty if it was not. */
        Optional<Instant> noticed();

        /**
         * An ObjectBucket.
         *
         * @param claim the one it was made for, by namespace, name and uid; empty if it does not tell
         * @param nameInUse whether there is a claim of that namespace and name, of whatever uid
         */
        record Bucket(
                Optional<ObjectBucket> bucket,
                Optional<ObjectKey> claim,
                boolean nameInUse,
                Optional<Instant> noticed,
                Instant now)
                implements Observed {}

        /**
         * A claim.
         *
         * @param hasBucket whether an ObjectBucket bears the name that the claim tells, or tells of the claim
         */
        record Claim(Optional<ObjectBucketClaim> claim, boolean hasBucket, Optional<Instant> noticed, Instant now)
                implements Observed {}
    }

    /** What can be done. */
    sealed interface Step {

        /** Tells people, and begins the grace period. */
        record Report(ObjectKey key, ObjectBucket bucket, ObjectKey claim) implements Step {}

        /** Asks the API server whether the claim is really gone, and deletes the ObjectBucket if so. */
        record Remove(ObjectBucket bucket, ObjectKey claim) implements Step {}

        record ReportClaim(ObjectKey key, ObjectBucketClaim claim) implements Step {}

        /** Asks the API server whether the ObjectBucket is really gone, and calls the claim Released if so. */
        record Release(ObjectBucketClaim claim) implements Step {}
    }

    Decision<Step> decide(Observed observed) {
        return switch (observed) {
            case Observed.Bucket bucket -> decide(bucket);
            case Observed.Claim claim -> decide(claim);
        };
    }

    private Decision<Step> decide(Observed.Bucket observed) {
        // The same name with another uid is what a restored backup looks like: never an orphan.
        boolean orphan = observed.bucket()
                        .filter(bucket -> bucket.getMetadata().getDeletionTimestamp() == null)
                        .isPresent()
                && observed.claim().isPresent()
                && !observed.nameInUse();
        if (!orphan) {
            return Decision.done();
        }
        ObjectBucket bucket = observed.bucket().orElseThrow();
        ObjectKey claim = observed.claim().orElseThrow();
        return waited(observed)
                .orElseGet(() -> observed.noticed().isEmpty()
                        ? Decision.act(new Step.Report(ObjectKey.of(bucket), bucket, claim))
                        : Decision.act(new Step.Remove(bucket, claim)));
    }

    private Decision<Step> decide(Observed.Claim observed) {
        boolean bereft = observed.claim()
                        .filter(claim -> claim.getMetadata().getDeletionTimestamp() == null)
                        .filter(claim -> claim.phase() == Phase.BOUND)
                        .filter(claim -> claim.getSpec().objectBucket().isPresent())
                        .isPresent()
                && !observed.hasBucket();
        if (!bereft) {
            return Decision.done();
        }
        ObjectBucketClaim claim = observed.claim().orElseThrow();
        return waited(observed)
                .orElseGet(() -> observed.noticed().isEmpty()
                        ? Decision.act(new Step.ReportClaim(ObjectKey.of(claim), claim))
                        : Decision.act(new Step.Release(claim)));
    }

    /** The wait that is due, if any. */
    private Optional<Decision<Step>> waited(Observed observed) {
        return observed.noticed().flatMap(since -> {
            if (dryRun) {
                return Optional.of(Decision.done());
            }
            Duration left = Duration.between(observed.now(), since.plus(grace));
            return left.isPositive() ? Optional.of(Decision.finish(Result.requeueAfter(left))) : Optional.empty();
        });
    }
}
