package io.bucketwright.cosi.controller.claims;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.BucketClaimSpec;
import io.bucketwright.api.objectstorage.BucketClaimStatus;
import io.bucketwright.api.objectstorage.ReleasedAccessSpec;
import io.bucketwright.api.objectstorage.ReleasedAccessStatus;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.api.objectstorage.ReleasedBucketSpec;
import io.bucketwright.api.objectstorage.ReleasedBucketStatus;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Objects of the released kinds: a claim {@code team/photos} with uid {@code 1}. */
final class ReleasedSamples {

    static final Instant CREATED = Instant.parse("2026-11-15T12:00:00Z");

    private ReleasedSamples() {}

    /** A claim with its finalizer. */
    static BucketClaim claim(String existing, boolean ready, String bucketName) {
        BucketClaim claim = new BucketClaim();
        claim.setMetadata(new ObjectMetaBuilder()
                .withNamespace("team")
                .withName("photos")
                .withUid("1")
                .withCreationTimestamp(CREATED.toString())
                .withFinalizers(ReleasedNames.CLAIM_FINALIZER)
                .build());
        claim.setSpec(new BucketClaimSpec("gold", List.of("S3"), existing));
        claim.setStatus(new BucketClaimStatus(ready, bucketName));
        return claim;
    }

    static BucketClaim withoutFinalizer(BucketClaim claim) {
        claim.getMetadata().setFinalizers(List.of());
        return claim;
    }

    static BucketClaim deleted(BucketClaim claim) {
        claim.getMetadata().setDeletionTimestamp(CREATED.toString());
        return claim;
    }

    /** An access through the claim. */
    static ReleasedBucketAccess access(String name, boolean granted) {
        ReleasedBucketAccess access = new ReleasedBucketAccess();
        access.setMetadata(
                new ObjectMetaBuilder().withNamespace("team").withName(name).build());
        access.setSpec(new ReleasedAccessSpec("photos", "", "readers", name, ""));
        access.setStatus(new ReleasedAccessStatus(granted ? "account" : "", granted));
        return access;
    }

    static ReleasedBucketClass bucketClass(String driver) {
        ReleasedBucketClass bucketClass = new ReleasedBucketClass();
        bucketClass.setMetadata(new ObjectMetaBuilder()
                .withName("gold")
                .withResourceVersion("7")
                .build());
        bucketClass.setDriverName(driver);
        return bucketClass;
    }

    static ReleasedBucket bucket(String name, ObjectReference claim, boolean ready, String policy, String existingId) {
        ReleasedBucket bucket = new ReleasedBucket();
        bucket.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withUid("2")
                .withCreationTimestamp(CREATED.toString())
                .build());
        bucket.setSpec(
                new ReleasedBucketSpec("driver.test", "gold", claim, List.of("S3"), Map.of(), policy, existingId));
        bucket.setStatus(new ReleasedBucketStatus(ready, ready ? "id" : ""));
        return bucket;
    }

    /** The Bucket that was created for the claim. */
    static ReleasedBucket created(boolean ready, String policy) {
        return bucket("bucket-1", reference("team", "photos", "1"), ready, policy, "");
    }

    static ReleasedBucket deleted(ReleasedBucket bucket) {
        bucket.getMetadata().setDeletionTimestamp(CREATED.toString());
        return bucket;
    }

    static ObjectReference reference(String namespace, String name, String uid) {
        return new ObjectReferenceBuilder()
                .withNamespace(namespace)
                .withName(name)
                .withUid(uid)
                .build();
    }
}
