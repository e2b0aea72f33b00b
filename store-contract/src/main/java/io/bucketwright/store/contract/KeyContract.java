package io.bucketwright.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.RotateRequest;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.options.Capability;
import java.util.Set;
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
        store().provision(call(), published(bucket(), owner(), id(first.credentials())));
        application(first).put("key", "text");
    }

    @Test
    default void thereIsNeverAThirdKey() {
        needs(Capability.ROTATE);
        String first = id(provision(bucket(), owner()).credentials());
        String second = id(rotate(bucket(), owner(), first));
        assertThatThrownBy(() -> store().provision(call(), published(bucket(), owner(), first, second)))
                .isInstanceOf(Invalid.class);
        assertThatThrownBy(() -> new RotateRequest(bucket(), owner(), Set.of(first, second)))
                .isInstanceOf(Invalid.class);
    }

    @Test
    default void bothKeysAreValidUntilTheOldOneIsRetired() {
        needs(Capability.ROTATE);
        ProvisionedBucket old = provision(bucket(), owner());
        ProvisionedBucket fresh =
                new ProvisionedBucket(old.connection(), rotate(bucket(), owner(), id(old.credentials())));
        assertThat(fresh.credentials()).isNotEqualTo(old.credentials());
        if (subject().hasObjects()) {
            application(old).put("old", "text");
            eventually(() -> application(fresh).put("new", "text"));
        }
        Set<String> kept = Set.of(id(fresh.credentials()));
        store().retire(call(), bucket(), owner(), kept);
        store().retire(call(), bucket(), owner(), kept);
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
        ProvisionedBucket lost =
                new ProvisionedBucket(old.connection(), rotate(bucket(), owner(), id(old.credentials())));
        ProvisionedBucket fresh =
                new ProvisionedBucket(old.connection(), rotate(bucket(), owner(), id(old.credentials())));
        application(old).put("key", "text");
        eventually(() -> application(fresh).get("key"));
        refused(() -> application(lost).get("key"));
    }

    @Test
    default void rotatingForAMissingPrincipalIsNotFound() {
        needs(Capability.ROTATE);
        RotateRequest request = new RotateRequest(newBucket(), newOwner(), Set.of());
        assertThatThrownBy(() -> store().rotate(call(), request)).isInstanceOf(NotFound.class);
    }

    private Credentials rotate(BucketName bucket, BucketOwner owner, String published) {
        return store().rotate(call(), new RotateRequest(bucket, owner, Set.of(published)));
    }

    private static String id(Credentials credentials) {
        return credentials.keyId().orElseThrow();
    }

    private static ProvisionRequest published(BucketName bucket, BucketOwner owner, String... keys) {
        return new ProvisionRequest(
                bucket, Naming.GIVEN, owner, Access.readWrite(), BucketOptions.unmanaged(), Set.of(keys));
    }
}
