package io.bucketwright.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.options.Capability;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests access keys: lost keys do not stay valid, and a principal has at most two. */
public interface KeyContract extends Contract {

    @Test
    default void unpublishedKeysAreDeletedByTheNextProvisioning() {
        needsObjects();
        ObjectClient lost = application(provision(bucket(), owner()));
        ObjectClient found = application(provision(bucket(), owner()));
        eventually(() -> found.put("key", "text"));
        refused(() -> lost.get("key"));
    }

    @Test
    default void publishedKeysAreKeptByTheNextProvisioning() {
        needsObjects();
        ProvisionedBucket first = provision(bucket(), owner());
        store().provision(call(), published(bucket(), owner(), first));
        application(first).put("key", "text");
    }

    /** Rotations, and calls after a crash, name the keys that applications use. */
    @Test
    default void publishedKeysAreKeptByTheNextGrant() {
        needsObjects();
        ProvisionedBucket first = provision(bucket(), owner());
        ProvisionedBucket second = rotate(bucket(), owner(), first);
        application(first).put("key", "text");
        eventually(() -> assertThat(application(second).get("key")).isEqualTo("text"));
    }

    @Test
    default void unpublishedKeysAreDeletedByTheNextGrant() {
        needsObjects();
        ObjectClient lost = application(provision(bucket(), owner()));
        ObjectClient found = application(grant(bucket(), owner(), Access.readWrite()));
        eventually(() -> found.put("key", "text"));
        refused(() -> lost.get("key"));
    }

    @Test
    default void thereIsNeverAThirdKey() {
        needs(Capability.ROTATE);
        ProvisionedBucket first = provision(bucket(), owner());
        ProvisionedBucket second = rotate(bucket(), owner(), first);
        assertThatThrownBy(() -> store().provision(call(), published(bucket(), owner(), first, second)))
                .isInstanceOf(Invalid.class);
        assertThatThrownBy(() -> store().grant(call(), rotation(bucket(), owner(), first, second)))
                .isInstanceOf(Invalid.class);
    }

    @Test
    default void bothKeysAreValidUntilTheOldOneIsRetired() {
        needs(Capability.ROTATE);
        ProvisionedBucket old = provision(bucket(), owner());
        ProvisionedBucket fresh = rotate(bucket(), owner(), old);
        assertThat(fresh.credentials()).isNotEqualTo(old.credentials());
        if (subject().hasObjects()) {
            application(old).put("old", "text");
            eventually(() -> application(fresh).put("new", "text"));
        }
        Set<String> kept = Set.of(Contract.keyId(fresh));
        rotating().retire(call(), bucket(), owner(), kept);
        rotating().retire(call(), bucket(), owner(), kept);
        if (subject().hasObjects()) {
            refused(() -> application(old).get("old"));
            assertThat(application(fresh).get("old")).isEqualTo("text");
        }
    }

    @Test
    default void aRotationWithALostKeyStartsAgain() {
        needs(Capability.ROTATE);
        needsObjects();
        ProvisionedBucket old = provision(bucket(), owner());
        ProvisionedBucket lost = rotate(bucket(), owner(), old);
        ProvisionedBucket fresh = rotate(bucket(), owner(), old);
        application(old).put("key", "text");
        eventually(() -> application(fresh).get("key"));
        refused(() -> application(lost).get("key"));
    }

    /** An administrator deleted it in the store; a rotation restores the access. */
    @Test
    default void aRotationCreatesAMissingPrincipal() {
        ProvisionedBucket dead = provision(bucket(), owner());
        store().revoke(call(), bucket(), owner());
        ProvisionedBucket fresh = rotate(bucket(), owner(), dead);
        assertThat(fresh.credentials()).isNotEqualTo(dead.credentials());
        if (subject().hasObjects()) {
            eventually(() -> application(fresh).put("key", "text"));
            refused(() -> application(dead).get("key"));
        }
    }

    @Test
    default void retiringTheKeysOfAMissingPrincipalIsNotFound() {
        needs(Capability.ROTATE);
        provision(bucket(), owner());
        BucketOwner missing = newOwner();
        assertThatThrownBy(() -> rotating().retire(call(), bucket(), missing, Set.of()))
                .isInstanceOf(NotFound.class);
    }

    private static ProvisionRequest published(BucketName bucket, BucketOwner owner, ProvisionedBucket... published) {
        return new ProvisionRequest(
                bucket,
                Naming.GIVEN,
                owner,
                Access.readWrite(),
                BucketOptions.unmanaged(),
                Stream.of(published).map(Contract::keyId).collect(Collectors.toSet()));
    }
}
