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
        BucketName bucket = fixture().newBucket();
        BucketOwner owner = fixture().newOwner();
        ObjectClient lost = fixture().application(fixture().provision(bucket, owner));
        ObjectClient found = fixture().application(fixture().provision(bucket, owner));
        fixture().eventually(() -> found.put("key", "text"));
        fixture().refused(() -> lost.get("key"));
    }

    @Test
    default void publishedKeysAreKeptByTheNextProvisioning() {
        needsObjects();
        BucketName bucket = fixture().newBucket();
        BucketOwner owner = fixture().newOwner();
        ProvisionedBucket first = fixture().provision(bucket, owner);
        fixture().store().provision(fixture().call(), published(bucket, owner, id(first.credentials())));
        fixture().application(first).put("key", "text");
    }

    @Test
    default void thereIsNeverAThirdKey() {
        needs(Capability.ROTATE);
        BucketName bucket = fixture().newBucket();
        BucketOwner owner = fixture().newOwner();
        String first = id(fixture().provision(bucket, owner).credentials());
        String second = id(rotate(bucket, owner, first));
        assertThatThrownBy(() -> fixture().store().provision(fixture().call(), published(bucket, owner, first, second)))
                .isInstanceOf(Invalid.class);
        assertThatThrownBy(() -> new RotateRequest(bucket, owner, Set.of(first, second)))
                .isInstanceOf(Invalid.class);
    }

    @Test
    default void bothKeysAreValidUntilTheOldOneIsRetired() {
        needs(Capability.ROTATE);
        BucketName bucket = fixture().newBucket();
        BucketOwner owner = fixture().newOwner();
        ProvisionedBucket old = fixture().provision(bucket, owner);
        ProvisionedBucket fresh = new ProvisionedBucket(old.connection(), rotate(bucket, owner, id(old.credentials())));
        assertThat(fresh.credentials()).isNotEqualTo(old.credentials());
        if (fixture().subject().hasObjects()) {
            fixture().application(old).put("old", "text");
            fixture().eventually(() -> fixture().application(fresh).put("new", "text"));
        }
        Set<String> kept = Set.of(id(fresh.credentials()));
        fixture().store().retire(fixture().call(), bucket, owner, kept);
        fixture().store().retire(fixture().call(), bucket, owner, kept);
        if (fixture().subject().hasObjects()) {
            fixture().refused(() -> fixture().application(old).get("old"));
            assertThat(fixture().application(fresh).get("old")).isEqualTo("text");
        }
    }

    @Test
    default void aRotationWithALostKeyStartsAgain() {
        needs(Capability.ROTATE);
        needsObjects();
        BucketName bucket = fixture().newBucket();
        BucketOwner owner = fixture().newOwner();
        ProvisionedBucket old = fixture().provision(bucket, owner);
        ProvisionedBucket lost = new ProvisionedBucket(old.connection(), rotate(bucket, owner, id(old.credentials())));
        ProvisionedBucket fresh = new ProvisionedBucket(old.connection(), rotate(bucket, owner, id(old.credentials())));
        fixture().application(old).put("key", "text");
        fixture().eventually(() -> fixture().application(fresh).get("key"));
        fixture().refused(() -> fixture().application(lost).get("key"));
    }

    @Test
    default void rotatingForAMissingPrincipalIsNotFound() {
        needs(Capability.ROTATE);
        RotateRequest request =
                new RotateRequest(fixture().newBucket(), fixture().newOwner(), Set.of());
        assertThatThrownBy(() -> fixture().store().rotate(fixture().call(), request))
                .isInstanceOf(NotFound.class);
    }

    private Credentials rotate(BucketName bucket, BucketOwner owner, String published) {
        return fixture().store().rotate(fixture().call(), new RotateRequest(bucket, owner, Set.of(published)));
    }

    private static String id(Credentials credentials) {
        return credentials.keyId().orElseThrow();
    }

    private static ProvisionRequest published(BucketName bucket, BucketOwner owner, String... keys) {
        return new ProvisionRequest(
                bucket, Naming.GIVEN, owner, Access.readWrite(), BucketOptions.unmanaged(), Set.of(keys));
    }
}
