package io.bucketwright.cosi.controller.claims;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides the next step for a BucketClaim that is being deleted. The sidecar acts on a deleted Bucket only: it deletes the
 * bucket in the store, then removes the finalizer of the claim. Where the Bucket stays, or where there is none, the finalizer is
 * removed here.
 */
record DeletedBucketClaimDecision(BucketClaimView view) {

    /** Enough to know what to delete. */
    private static final int NAMED = 5;

    Decision<BucketClaimStep> decide() {
        if (!Metadata.hasFinalizer(claim(), ReleasedNames.CLAIM_FINALIZER)) {
            return Decision.done();
        }
        if (!view.accesses().isEmpty()) {
            return waits().after(ClaimWait.OBSERVED, ReleasedReason.IN_USE, this::inUse);
        }
        Optional<ReleasedBucket> bound = view.bound();
        return bound.isPresent() ? withBucket(bound.get()) : withoutBucket();
    }

    /** To revoke an access, the sidecar needs the claim and the Bucket, so the accesses are deleted first. */
    private Decision<BucketClaimStep> inUse() {
        int others = view.accesses().size() - NAMED;
        return waits().pending(
                        ReleasedReason.IN_USE,
                        "The deletion waits until these BucketAccesses are deleted: "
                                + String.join(
                                        ", ",
                                        view.accesses().stream().limit(NAMED).toList())
                                + (others > 0 ? " and " + others + " more" : "") + ".",
                        false);
    }

    private Decision<BucketClaimStep> withBucket(ReleasedBucket bucket) {
        if (Metadata.isBeingDeleted(bucket)) {
            return waits().after(
                            ClaimWait.SLOW,
                            Instant.parse(bucket.getMetadata().getDeletionTimestamp()),
                            () -> waits().pending(
                                            ReleasedReason.DELETING_BUCKET,
                                            "The deletion waits for Bucket "
                                                    + bucket.getMetadata().getName() + " of driver "
                                                    + SafeText.quoted(
                                                            bucket.spec().driverName())
                                                    + ". Check that the driver and its sidecar run, and the events of"
                                                    + " the Bucket.",
                                            true));
        }
        return bucket.deletesBackend() || isUnused(bucket)
                ? Decision.act(new BucketClaimStep.Delete(claim(), bucket))
                : Decision.act(new BucketClaimStep.Release(claim(), bucket));
    }

    /** Whether nobody has ever had access to the bucket: there is nothing to retain, and nobody wants it any more. */
    private boolean isUnused(ReleasedBucket bucket) {
        return bucket.spec().existingBucketID().isEmpty()
                && !bucket.status().bucketReady()
                && bucket.status().bucketID().isEmpty()
                && !claim().status().bucketReady();
    }

    /** If the Bucket was deleted a moment ago, the sidecar removes the finalizer; it cannot if it does not run. */
    private Decision<BucketClaimStep> withoutBucket() {
        String named = claim().status().bucketName();
        Decision<BucketClaimStep> release = Decision.act(new BucketClaimStep.RemoveFinalizer(claim()));
        return named.isEmpty() || view.bucket().isPresent()
                ? release
                : waits().after(ClaimWait.OBSERVED, ReleasedReason.DELETING_BUCKET, () -> release);
    }

    private ClaimWait waits() {
        return new ClaimWait(view);
    }

    private BucketClaim claim() {
        return view.claim();
    }
}
