package io.bucketwright.buckets.orphans;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.classes.ProvisionerName;
import io.bucketwright.buckets.objects.ClaimReason;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.DurationText;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which objects are orphans, and when to act.
 *
 * @param grace how long an orphan is only reported
 * @param dryRun whether orphans are only ever reported
 * @param provisioners whose objects may be changed: orphans of other provisioners are only reported
 * @param labelled those of them that do not record their name in ObjectBuckets, so that a label must suffice
 */
public record OrphanDecision(Duration grace, boolean dryRun, Set<String> provisioners, Set<String> labelled) {

    /** One object as the caches show it. */
    sealed interface OrphanObservation {

        ObjectKey key();

        /** How long ago this process first reported the object as an orphan; empty if it did not. */
        Optional<Duration> reported();

        /**
         * An ObjectBucket.
         *
         * @param claim the claim that it belongs to, with its uid; empty if unknown
         * @param nameInUse whether a claim of that namespace and name exists, with any uid
         */
        record Bucket(
                ObjectKey key,
                Optional<ObjectBucket> bucket,
                Optional<ObjectKey> claim,
                boolean nameInUse,
                Optional<Duration> reported)
                implements OrphanObservation {}

        /**
         * A claim.
         *
         * @param hasBucket whether the ObjectBucket that the claim names exists, or any that belongs to the claim
         */
        record Claim(ObjectKey key, Optional<ObjectBucketClaim> claim, boolean hasBucket, Optional<Duration> reported)
                implements OrphanObservation {}
    }

    /** The next step of the orphan controller. */
    sealed interface OrphanStep {

        /** Sends a warning event about an orphan and starts the grace period. */
        record Report(HasMetadata orphan, String reason, String message) implements OrphanStep {}

        /** Deletes the ObjectBucket if the API server confirms that the claim does not exist. */
        record DeleteBucket(ObjectBucket bucket, ObjectKey claim) implements OrphanStep {}

        /** Sets the claim's phase to Released if the API server confirms that the ObjectBucket does not exist. */
        record ReleaseClaim(ObjectBucketClaim claim) implements OrphanStep {}

        /** Forgets that the object was reported, because it is no orphan any more or no longer exists. */
        record Forget(ObjectKey object) implements OrphanStep {}
    }

    /** Deleted claims are noticed by their events. This is for what no event reports. */
    static final Duration CHECK_INTERVAL = Duration.ofMinutes(10);

    public OrphanDecision {
        if (grace.isNegative()) {
            throw new IllegalArgumentException("The grace period must not be negative, got " + DurationText.of(grace));
        }
        provisioners = Set.copyOf(provisioners);
        labelled = Set.copyOf(labelled);
    }

    Decision<OrphanStep> decide(OrphanObservation observed) {
        return switch (observed) {
            case OrphanObservation.Bucket bucket -> decide(bucket);
            case OrphanObservation.Claim claim -> decide(claim);
        };
    }

    private Decision<OrphanStep> decide(OrphanObservation.Bucket observed) {
        // A claim of the same name with another uid is what a restored backup looks like: never an orphan.
        Optional<ObjectBucket> orphan = observed.bucket()
                .filter(bucket -> !Metadata.isBeingDeleted(bucket) && !observed.nameInUse())
                .filter(_ -> observed.claim().isPresent());
        if (orphan.isEmpty()) {
            return noOrphan(observed, observed.bucket().isPresent());
        }
        ObjectBucket bucket = orphan.get();
        ObjectKey claim = observed.claim().orElseThrow();
        String provisioner = provisioner(bucket);
        boolean served = provisioners.contains(provisioner);
        return afterGrace(
                observed,
                served,
                new OrphanStep.Report(
                        bucket,
                        ClaimReason.ORPHANED,
                        "The claim " + claim + " of this ObjectBucket no longer exists. "
                                + announcement(served, provisioner)),
                new OrphanStep.DeleteBucket(bucket, claim));
    }

    /** ObjectBuckets of Rook and NooBaa have only a label for it, in which a slash is a hyphen. */
    private String provisioner(ObjectBucket bucket) {
        return bucket.getSpec().recordedIntent().map(BucketIntent::provisioner).orElseGet(() -> {
            String label = Metadata.label(bucket, ObjectBucketNames.PROVISIONER_LABEL);
            return labelled.stream()
                    .filter(name -> new ProvisionerName(name).label().equals(label))
                    .findFirst()
                    .orElse(label);
        });
    }

    private Decision<OrphanStep> decide(OrphanObservation.Claim observed) {
        Optional<ObjectBucketClaim> orphan = observed.claim()
                .filter(claim -> !Metadata.isBeingDeleted(claim) && !observed.hasBucket())
                .filter(claim -> claim.phase() == Phase.BOUND)
                .filter(claim -> claim.getSpec().objectBucket().isPresent());
        if (orphan.isEmpty()) {
            return noOrphan(observed, false);
        }
        ObjectBucketClaim claim = orphan.get();
        return afterGrace(
                observed,
                provisioners.contains(Metadata.annotation(claim, ObjectBucketNames.PROVISIONER_ANNOTATION)),
                new OrphanStep.Report(
                        claim,
                        ClaimReason.OBJECT_BUCKET_MISSING,
                        "The ObjectBucket "
                                + SafeText.line(claim.getSpec().objectBucket().orElse(""))
                                + " of this claim no longer exists: delete the claim, and create a new one if"
                                + " a bucket is needed."),
                new OrphanStep.ReleaseClaim(claim));
    }

    /** The next time that the object becomes an orphan, its grace period starts again. */
    private static Decision<OrphanStep> noOrphan(OrphanObservation observed, boolean checkAgain) {
        if (observed.reported().isPresent()) {
            return Decision.act(new OrphanStep.Forget(observed.key()));
        }
        return checkAgain ? Decision.finish(Result.requeueAfter(CHECK_INTERVAL)) : Decision.done();
    }

    private String announcement(boolean served, String provisioner) {
        if (!served) {
            return provisioner.isEmpty()
                    ? "Its provisioner is unknown, so nothing is changed: its provisioner or an administrator must delete"
                            + " the ObjectBucket."
                    : "Its provisioner " + SafeText.line(provisioner) + " is not named with --orphans-of, so nothing is"
                            + " changed here: another release of Bucketwright that serves it may delete the"
                            + " ObjectBucket, otherwise that provisioner or an administrator must do it.";
        }
        return dryRun
                ? "Nothing is changed, because this is a dry run."
                : "The ObjectBucket will be deleted in " + DurationText.of(grace)
                        + ", and its provisioner then releases the bucket.";
    }

    private Decision<OrphanStep> afterGrace(
            OrphanObservation observed, boolean served, OrphanStep report, OrphanStep act) {
        if (observed.reported().isEmpty()) {
            return Decision.act(report);
        }
        if (dryRun || !served) {
            return Decision.done();
        }
        Duration left = grace.minus(observed.reported().get());
        return left.isPositive() ? Decision.finish(Result.requeueAfter(left)) : Decision.act(act);
    }
}
