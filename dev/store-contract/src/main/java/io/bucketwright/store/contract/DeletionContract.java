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
        ProvisionedBucket made = provision(bucket(), owner());
        delete(bucket(), owner(), OnNotEmpty.BLOCK);
        assertThat(subject().bucketExists(bucket())).isFalse();
        if (subject().hasObjects()) {
            // On a bucket() of the same name, because a bucket() that does not exist refuses everybody.
            subject().createBucket(bucket());
            refused(() -> application(made).list(""));
            refused(() -> application(made).put("key", "text"));
        }
    }

    @Test
    default void deletingTwiceSucceeds() {
        delete(bucket(), owner(), OnNotEmpty.BLOCK);
        provision(bucket(), owner());
        subject().deleteBucket(bucket());
        delete(bucket(), owner(), OnNotEmpty.PURGE);
        delete(bucket(), owner(), OnNotEmpty.BLOCK);
    }

    @Test
    default void aDeletedBucketCanBeCreatedAgain() {
        provision(bucket(), owner());
        delete(bucket(), owner(), OnNotEmpty.BLOCK);
        provision(bucket(), newOwner());
        assertThat(subject().bucketExists(bucket())).isTrue();
    }

    @Test
    default void aNonEmptyBucketIsDeletedOnlyByPurge() {
        needsObjects();
        ObjectClient application = application(provision(bucket(), owner()));
        application.put("key", "text");
        assertThatThrownBy(() -> delete(bucket(), owner(), OnNotEmpty.BLOCK)).isInstanceOf(NotEmpty.class);
        assertThat(application.get("key")).isEqualTo("text");
        delete(bucket(), owner(), OnNotEmpty.PURGE);
        assertThat(subject().bucketExists(bucket())).isFalse();
    }

    @Test
    default void purgeDeletesVersionsAndIncompleteUploads() {
        needsObjects();
        provision(bucket(), owner());
        if (subject().addVersionsAndUploads(bucket())) {
            assertThatThrownBy(() -> delete(bucket(), owner(), OnNotEmpty.BLOCK))
                    .isInstanceOf(NotEmpty.class);
        }
        delete(bucket(), owner(), OnNotEmpty.PURGE);
        assertThat(subject().bucketExists(bucket())).isFalse();
    }

    @Test
    default void erasingEmptiesTheBucketAndKeepsItAndItsPrincipal() {
        needsObjects();
        needs(Capability.ERASE);
        ObjectClient application = application(provision(bucket(), owner()));
        application.put("key", "text");
        subject().addVersionsAndUploads(bucket());
        while (adopting().erase(call(), bucket(), owner()) instanceof Progress.More more) {
            assertThat(more.removed()).isPositive();
        }
        assertThat(application.list("")).isEmpty();
        assertThat(adopting().erase(call(), bucket(), owner())).isEqualTo(new Progress.Done());
        delete(bucket(), owner(), OnNotEmpty.BLOCK);
    }

    @Test
    default void aBucketOfAnotherOwnerIsNeverErased() {
        needs(Capability.ERASE);
        BucketName foreign = foreignBucket();
        assertThatThrownBy(() -> adopting().erase(call(), foreign, owner())).isInstanceOf(Taken.class);
        BucketName missing = newBucket();
        assertThatThrownBy(() -> adopting().erase(call(), missing, owner())).isInstanceOf(NotFound.class);
    }

    @Test
    default void revokingAGuestKeepsTheBucket() {
        provision(bucket(), owner());
        BucketOwner guest = newOwner();
        grant(bucket(), guest, Access.readWrite());
        store().revoke(call(), bucket(), guest);
        assertThat(subject().bucketExists(bucket())).isTrue();
        delete(bucket(), owner(), OnNotEmpty.BLOCK);
    }

    @Test
    default void usageCountsObjectsAndBytes() {
        needs(Capability.USAGE);
        ProvisionedBucket made = provision(bucket(), newOwner());
        if (subject().hasObjects()) {
            ObjectClient application = application(made);
            application.put("one", "12345");
            application.put("two", "67890");
            assertThat(measuring().usage(call(), bucket())).isEqualTo(new Usage(10, 2, true));
        }
        BucketName missing = newBucket();
        assertThatThrownBy(() -> measuring().usage(call(), missing)).isInstanceOf(NotFound.class);
    }
}
