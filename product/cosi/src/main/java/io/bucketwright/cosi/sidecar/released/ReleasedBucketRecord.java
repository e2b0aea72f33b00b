package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.core.BucketGrants;
import io.bucketwright.cosi.core.BucketRecord;
import io.bucketwright.runtime.objects.Metadata;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The record in a Bucket: uid, id and finalizers in its metadata, which a backup contains, and its status.
 *
 * @param claim that it is bound to
 */
record ReleasedBucketRecord(ReleasedBucket bucket, Optional<BucketClaim> claim) implements BucketRecord {

    @Override
    public String name() {
        return bucket.getMetadata().getName();
    }

    @Override
    public String id() {
        String published = bucket.status().bucketID();
        String recorded = bucket.isRecorded() ? bucket.annotation(ReleasedNames.BUCKET_ID) : "";
        String created = published.isEmpty() ? recorded : published;
        return created.isEmpty() ? bucket.spec().existingBucketID() : created;
    }

    @Override
    public String formerId() {
        String recorded = bucket.annotation(ReleasedNames.BUCKET_ID);
        return recorded.isEmpty() ? bucket.spec().existingBucketID() : recorded;
    }

    /** Without a record, it is that of the reference implementation: then only the living claim proves it. */
    @Override
    public boolean ownsName() {
        String uid = ClaimReference.of(bucket).uid();
        boolean proven = bucket.isRecorded()
                || (claim.isPresent() && Metadata.hasFinalizer(bucket, ReleasedNames.BUCKET_FINALIZER));
        return proven && !uid.isEmpty() && name().equals(ReleasedNames.bucketOf(uid));
    }

    @Override
    public boolean isRecorded(String knownId) {
        return bucket.isRecorded()
                && Metadata.hasFinalizer(bucket, ReleasedNames.BUCKET_FINALIZER)
                && (knownId.isEmpty() || knownId.equals(formerId()));
    }

    @Override
    public boolean isReady() {
        return bucket.status().bucketReady() && !bucket.status().bucketID().isEmpty();
    }

    @Override
    public boolean isDeletionRecorded() {
        return !bucket.status().bucketReady() && !bucket.status().bucketID().isEmpty();
    }

    @Override
    public boolean isBeingDeleted() {
        return Metadata.isBeingDeleted(bucket);
    }

    @Override
    public Instant deletionRequested() {
        return Instant.parse(bucket.getMetadata().getDeletionTimestamp());
    }

    @Override
    public boolean isProtected() {
        return Metadata.hasFinalizer(bucket, ReleasedNames.BUCKET_FINALIZER)
                || Metadata.hasFinalizer(bucket, ReleasedNames.ACCESSED_BUCKET_FINALIZER);
    }

    @Override
    public boolean deletesBackend() {
        return bucket.deletesBackend();
    }

    @Override
    public boolean isRestored() {
        return bucket.isRestored();
    }

    @Override
    public boolean isConfirmed() {
        return bucket.isConfirmed();
    }

    /** For whom credentials were issued and not revoked. */
    List<String> holders() {
        return BucketGrants.of(bucket.annotation(ReleasedNames.GRANTS)).holders();
    }

    /** Whether it names a claim that does not exist, by its uid. */
    boolean hasLostClaim() {
        return claim.isEmpty() && !ClaimReference.of(bucket).uid().isEmpty();
    }
}
