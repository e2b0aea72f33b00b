package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.Phase;
import io.bucketwright.api.ReclaimPolicy;
import io.bucketwright.buckets.claims.ClaimStep.Operation;
import io.bucketwright.buckets.claims.ClaimStep.ReleaseMode;
import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.buckets.objects.ChildObject;
import io.bucketwright.buckets.objects.ClaimMetadata;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.requests.ProvisionerSettings;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.OnNotEmpty;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides about a claim that is being deleted or no longer exists: first the store releases the bucket, then Secret,
 * ConfigMap, ObjectBucket and claim lose their finalizers, in this order.
 */
record DeletedClaimDecision(ProvisionerSettings settings) {

    Decision<ClaimStep> decide(ClaimObservation observed) {
        boolean orphan = observed.claim().isEmpty();
        if (observed.bucket().isPresent()) {
            RecordedBucket bucket = observed.bucket().get();
            if (orphan && !Metadata.isBeingDeleted(bucket.object())) {
                // The orphan controller deletes the ObjectBucket after a grace period.
                return Decision.done();
            }
            if (!observed.state().released()) {
                return release(observed, bucket, orphan);
            }
        }
        return Stream.of(child(observed.secret()), child(observed.configMap()))
                .flatMap(Optional::stream)
                .findFirst()
                .or(() -> observed.bucket().flatMap(bucket -> delete(bucket.object())))
                .or(() -> observed.claim()
                        .filter(ClaimMetadata::hasFinalizer)
                        .filter(claim -> isFinalizerOwned(observed, claim))
                        .map(ClaimStep::removeFinalizer))
                .map(Decision::act)
                .orElse(Decision.done());
    }

    private Decision<ClaimStep> release(ClaimObservation observed, RecordedBucket bucket, boolean orphan) {
        if (bucket.object().phase() != Phase.RELEASED) {
            return Decision.act(new ClaimStep.SetBucketPhase(bucket.object(), Phase.RELEASED));
        }
        if (Metadata.annotation(bucket.object(), ObjectBucketNames.ABANDON_ANNOTATION)
                .equals("true")) {
            return Decision.act(new ClaimStep.Abandon(observed.key(), bucket));
        }
        ReleaseMode mode = orphan && !settings.reclaimOrphans() ? ReleaseMode.REVOKE : mode(bucket);
        boolean destroys = mode == ReleaseMode.DELETE || mode == ReleaseMode.ERASE;
        if (destroys && observed.sharers() > 0) {
            return observed.report(
                    "BucketShared",
                    "Bucket " + bucket.intent().bucketName() + " is also used by " + observed.sharers()
                            + " other claim(s). It is deleted after they are.");
        }
        return observed.unlessBlocked(
                Operation.RELEASE, attempt -> new ClaimStep.Release(attempt, bucket, mode, onNotEmpty(bucket)));
    }

    /** The intent decides, unless an administrator has changed the reclaim policy of the ObjectBucket to Retain. */
    private static ReleaseMode mode(RecordedBucket bucket) {
        ReleaseMode recorded = mode(bucket.intent());
        boolean isNew = recorded != ReleaseMode.REVOKE && recorded != ReleaseMode.UNADOPT;
        return isNew && bucket.isRetainedByAdministrator() ? ReleaseMode.RETAIN : recorded;
    }

    /** Depends only on the intent, not on the class as it is today. */
    static ReleaseMode mode(BucketIntent intent) {
        if (intent.bucketOrigin().orElse(BucketOrigin.EXISTING) == BucketOrigin.EXISTING) {
            boolean named = !intent.parameters()
                    .getOrDefault(ClassParameters.BUCKET_NAME, "")
                    .isBlank();
            return named ? ReleaseMode.REVOKE : ReleaseMode.UNADOPT;
        }
        return switch (intent.policy().orElse(ReclaimPolicy.RETAIN)) {
            case DELETE -> ReleaseMode.DELETE;
            case RETAIN -> ReleaseMode.RETAIN;
            case ERASE -> ReleaseMode.ERASE;
            case SUSPEND -> ReleaseMode.SUSPEND;
        };
    }

    private static OnNotEmpty onNotEmpty(RecordedBucket bucket) {
        String requested = Metadata.annotation(bucket.object(), ObjectBucketNames.ON_NOT_EMPTY_ANNOTATION);
        String recorded = bucket.intent().parameters().getOrDefault(ClassParameters.ON_NOT_EMPTY, "");
        return requested.equalsIgnoreCase("purge") || recorded.strip().equalsIgnoreCase("purge")
                ? OnNotEmpty.PURGE
                : OnNotEmpty.BLOCK;
    }

    private static Optional<ClaimStep> child(ChildObject<?> child) {
        return child instanceof ChildObject.Owned<?> owned ? delete(owned.bare()) : Optional.empty();
    }

    /** The next step of deleting an object; empty if only finalizers of others are left. */
    private static Optional<ClaimStep> delete(HasMetadata object) {
        if (ClaimMetadata.hasFinalizer(object)) {
            return Optional.of(ClaimStep.removeFinalizer(object));
        }
        return Metadata.isBeingDeleted(object) ? Optional.empty() : Optional.of(new ClaimStep.Delete(object));
    }

    /** All provisioners use the same finalizer: bucket, class or annotation show which of them added it. */
    private boolean isFinalizerOwned(ClaimObservation observed, ObjectBucketClaim claim) {
        return switch (observed.bucketClass()) {
            case ObservedClass.Usable _, ObservedClass.Unusable _, ObservedClass.SeveralDefaults _ -> true;
            case ObservedClass.Missing _, ObservedClass.NotServed _ ->
                observed.bucket().isPresent()
                        || observed.state().released()
                        || settings.isProvisioner(Metadata.annotation(claim, ObjectBucketNames.PROVISIONER_ANNOTATION));
        };
    }
}
