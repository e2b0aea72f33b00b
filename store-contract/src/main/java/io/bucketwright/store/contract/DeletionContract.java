package io.bucketwright.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Progress;
import io.bucketwright.store.Usage;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.options.Capability;
import org.junit.jupiter.api.Test;

/** Tests the deletion of buckets and their contents. */
public interface DeletionContract extends Contract {

    @Test
    default void anEmptyBucketIsDeletedWithItsPrincipal() {
        BucketName bucket = fixture().newBucket();
        BucketOwner owner = fixture().newOwner();
        ProvisionedBucket made = fixture().provision(bucket, owner);
        fixture().delete(bucket, owner, OnNotEmpty.BLOCK);
        assertThat(fixture().subject().bucketExists(bucket)).isFalse();
        if (fixture().subject().hasObjects()) {
            // On a bucket of the same name, because a bucket that does not exist refuses everybody.
            fixture().subject().createBucket(bucket);
            fixture().refused(() -> fixture().application(made).list(""));
            fixture().refused(() -> fixture().application(made).put("key", "text"));
        }
    }

    @Test
    default void deletingTwiceSucceeds() {
        BucketName bucket = fixture().newBucket();
        BucketOwner owner = fixture().newOwner();
        fixture().delete(bucket, owner, OnNotEmpty.BLOCK);
        fixture().provision(bucket, owner);
        fixture().subject().deleteBucket(bucket);
        fixture().delete(bucket, owner, OnNotEmpty.PURGE);
        fixture().delete(bucket, owner, OnNotEmpty.BLOCK);
    }

    @Test
    default void aDeletedBucketCanBeCreatedAgain() {
        BucketName bucket = fixture().newBucket();
        BucketOwner owner = fixture().newOwner();
        fixture().provision(bucket, owner);
        fixture().delete(bucket, owner, OnNotEmpty.BLOCK);
        fixture().provision(bucket, fixture().newOwner());
        assertThat(fixture().subject().bucketExists(bucket)).isTrue();
    }

    @Test
    default void aNonEmptyBucketIsDeletedOnlyByPurge() {
        needsObjects();
        BucketName bucket = fixture().newBucket();
        BucketOwner owner = fixture().newOwner();
        ObjectClient application = fixture().application(fixture().provision(bucket, owner));
        application.put("key", "text");
        assertThatThrownBy(() -> fixture().delete(bucket, owner, OnNotEmpty.BLOCK))
                .isInstanceOf(NotEmpty.class);
        assertThat(application.get("key")).isEqualTo("text");
        fixture().delete(bucket, owner, OnNotEmpty.PURGE);
        assertThat(fixture().subject().bucketExists(bucket)).isFalse();
    }

    @Test
    default void purgeDeletesVersionsAndIncompleteUploads() {
        needsObjects();
        BucketName bucket = fixture().newBucket();
        BucketOwner owner = fixture().newOwner();
        fixture().provision(bucket, owner);
        if (fixture().subject().addVersionsAndUploads(bucket)) {
            assertThatThrownBy(() -> fixture().delete(bucket, owner, OnNotEmpty.BLOCK))
                    .isInstanceOf(NotEmpty.class);
        }
        fixture().delete(bucket, owner, OnNotEmpty.PURGE);
        assertThat(fixture().subject().bucketExists(bucket)).isFalse();
    }

    @Test
    default void erasingEmptiesTheBucketAndKeepsItAndItsPrincipal() {
        needsObjects();
        needs(Capability.ERASE);
        BucketName bucket = fixture().newBucket();
        BucketOwner owner = fixture().newOwner();
        ObjectClient application = fixture().application(fixture().provision(bucket, owner));
        application.put("key", "text");
        fixture().subject().addVersionsAndUploads(bucket);
        while (fixture().store().erase(fixture().call(), bucket, owner) instanceof Progress.More more) {
            assertThat(more.removed()).isPositive();
        }
        assertThat(application.list("")).isEmpty();
        assertThat(fixture().store().erase(fixture().call(), bucket, owner)).isEqualTo(new Progress.Done());
        fixture().delete(bucket, owner, OnNotEmpty.BLOCK);
    }

    @Test
    default void aBucketOfAnotherOwnerIsNeverErased() {
        needs(Capability.ERASE);
        BucketName foreign = fixture().foreignBucket();
        BucketOwner owner = fixture().newOwner();
        assertThatThrownBy(() -> fixture().store().erase(fixture().call(), foreign, owner))
                .isInstanceOf(Taken.class);
        BucketName missing = fixture().newBucket();
        assertThatThrownBy(() -> fixture().store().erase(fixture().call(), missing, owner))
                .isInstanceOf(NotFound.class);
    }

    @Test
    default void revokingAGuestKeepsTheBucket() {
        BucketName bucket = fixture().newBucket();
        BucketOwner owner = fixture().newOwner();
        fixture().provision(bucket, owner);
        BucketOwner guest = fixture().newOwner();
        fixture().grant(bucket, guest, Access.readWrite());
        fixture().store().revoke(fixture().call(), bucket, guest);
        assertThat(fixture().subject().bucketExists(bucket)).isTrue();
        fixture().delete(bucket, owner, OnNotEmpty.BLOCK);
    }

    @Test
    default void usageCountsObjectsAndBytes() {
        needs(Capability.USAGE);
        BucketName bucket = fixture().newBucket();
        ProvisionedBucket made = fixture().provision(bucket, fixture().newOwner());
        if (fixture().subject().hasObjects()) {
            ObjectClient application = fixture().application(made);
            application.put("one", "12345");
            application.put("two", "67890");
            assertThat(fixture().store().usage(fixture().call(), bucket)).isEqualTo(new Usage(10, 2, true));
        }
        BucketName missing = fixture().newBucket();
        assertThatThrownBy(() -> fixture().store().usage(fixture().call(), missing))
                .isInstanceOf(NotFound.class);
    }
}
