package io.bucketwright.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.contract.ObjectClient.ForbiddenOperation;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.options.Capability;
import org.junit.jupiter.api.Test;

/** Tests what an application can do with its credentials. */
public interface AccessContract extends Contract {

    @Test
    default void readWriteAllowsAllObjectOperations() {
        needsObjects();
        ObjectClient application = fixture()
                .application(
                        fixture().provision(fixture().newBucket(), fixture().newOwner()));
        application.put("a/key", "text");
        assertThat(application.get("a/key")).isEqualTo("text");
        assertThat(application.list("")).containsExactly("a/key");
        application.delete("a/key");
        assertThat(application.list("")).isEmpty();
    }

    @Test
    default void credentialsGiveNoAccessToOtherBuckets() {
        needsObjects();
        BucketName neighbour = fixture().newBucket();
        fixture()
                .application(fixture().provision(neighbour, fixture().newOwner()))
                .put("key", "text");
        ProvisionedBucket made =
                fixture().provision(fixture().newBucket(), fixture().newOwner());
        ObjectClient intruder = fixture().application(new ProvisionedBucket(in(neighbour, made), made.credentials()));
        fixture().refused(() -> intruder.get("key"));
        fixture().refused(() -> intruder.list(""));
        fixture().refused(() -> intruder.put("key", "mine"));
        fixture().refused(() -> intruder.delete("key"));
    }

    @Test
    default void credentialsCannotChangeTheBucket() {
        needsObjects();
        BucketName bucket = fixture().newBucket();
        ObjectClient application =
                fixture().application(fixture().provision(bucket, fixture().newOwner()));
        for (ForbiddenOperation operation : ForbiddenOperation.values()) {
            fixture().refused(() -> application.tryForbidden(operation));
        }
        assertThat(fixture().subject().bucketExists(bucket)).isTrue();
    }

    @Test
    default void readOnlyAllowsOnlyReading() {
        needsObjects();
        BucketName bucket = fixture().newBucket();
        fixture().application(fixture().provision(bucket, fixture().newOwner())).put("key", "text");
        ObjectClient reader =
                fixture().application(fixture().grant(bucket, fixture().newOwner(), Access.of(AccessMode.READ_ONLY)));
        assertThat(reader.get("key")).isEqualTo("text");
        assertThat(reader.list("")).containsExactly("key");
        fixture().refused(() -> reader.put("key", "other"));
        fixture().refused(() -> reader.delete("key"));
    }

    @Test
    default void writeOnlyAllowsOnlyWriting() {
        needsObjects();
        needs(Capability.WRITE_ONLY);
        BucketName bucket = fixture().newBucket();
        ObjectClient owner =
                fixture().application(fixture().provision(bucket, fixture().newOwner()));
        ObjectClient writer =
                fixture().application(fixture().grant(bucket, fixture().newOwner(), Access.of(AccessMode.WRITE_ONLY)));
        writer.put("key", "text");
        assertThat(owner.get("key")).isEqualTo("text");
        fixture().refused(() -> writer.get("key"));
        fixture().refused(() -> writer.list(""));
        fixture().refused(() -> writer.delete("key"));
    }

    @Test
    default void aPrefixRestrictsAccessToItsObjects() {
        needsObjects();
        needs(Capability.PREFIX);
        BucketName bucket = fixture().newBucket();
        ObjectClient owner =
                fixture().application(fixture().provision(bucket, fixture().newOwner()));
        owner.put("theirs/key", "secret");
        ObjectClient limited = fixture()
                .application(fixture()
                        .grant(bucket, fixture().newOwner(), Access.readWrite().withPrefix("ours/")));
        limited.put("ours/key", "text");
        assertThat(limited.get("ours/key")).isEqualTo("text");
        assertThat(limited.list("ours/")).containsExactly("ours/key");
        limited.delete("ours/key");
        fixture().refused(() -> limited.get("theirs/key"));
        fixture().refused(() -> limited.put("theirs/key", "mine"));
        fixture().refused(() -> limited.delete("theirs/key"));
        fixture().refused(() -> limited.list("theirs/"));
        fixture().refused(() -> limited.list(""));
    }

    @Test
    default void revokingEndsOnlyTheAccessOfThatOwner() {
        needsObjects();
        BucketName bucket = fixture().newBucket();
        ObjectClient owner =
                fixture().application(fixture().provision(bucket, fixture().newOwner()));
        BucketOwner guest = fixture().newOwner();
        ObjectClient application = fixture().application(fixture().grant(bucket, guest, Access.readWrite()));
        application.put("key", "text");
        fixture().store().revoke(fixture().call(), bucket, guest);
        fixture().refused(() -> application.get("key"));
        assertThat(owner.get("key")).isEqualTo("text");
    }

    @Test
    default void revokingTwiceSucceeds() {
        BucketName bucket = fixture().newBucket();
        BucketOwner owner = fixture().newOwner();
        fixture().store().revoke(fixture().call(), bucket, owner);
        fixture().provision(bucket, owner);
        fixture().store().revoke(fixture().call(), bucket, owner);
        fixture().store().revoke(fixture().call(), bucket, owner);
        assertThat(fixture().subject().bucketExists(bucket)).isTrue();
    }

    @Test
    default void unsuspendEnablesTheSameKeys() {
        needs(Capability.SUSPEND);
        BucketName bucket = fixture().newBucket();
        BucketOwner owner = fixture().newOwner();
        ProvisionedBucket made = fixture().provision(bucket, owner);
        fixture().store().suspend(fixture().call(), bucket, owner);
        fixture().store().suspend(fixture().call(), bucket, owner);
        if (fixture().subject().hasObjects()) {
            fixture().refused(() -> fixture().application(made).put("key", "text"));
        }
        fixture().store().unsuspend(fixture().call(), bucket, owner);
        fixture().store().unsuspend(fixture().call(), bucket, owner);
        if (fixture().subject().hasObjects()) {
            fixture().eventually(() -> fixture().application(made).put("key", "text"));
        }
    }

    @Test
    default void suspendingAMissingPrincipalSucceedsAndUnsuspendingItIsNotFound() {
        needs(Capability.SUSPEND);
        BucketName bucket = fixture().newBucket();
        BucketOwner nobody = fixture().newOwner();
        fixture().store().suspend(fixture().call(), bucket, nobody);
        assertThatThrownBy(() -> fixture().store().unsuspend(fixture().call(), bucket, nobody))
                .isInstanceOf(NotFound.class);
    }

    @Test
    default void accessCanBeRestrictedWithTheSameKeys() {
        needsObjects();
        needs(Capability.ACCESS);
        BucketName bucket = fixture().newBucket();
        BucketOwner owner = fixture().newOwner();
        ObjectClient application = fixture().application(fixture().provision(bucket, owner));
        application.put("key", "text");
        UpdateRequest narrow =
                new UpdateRequest(bucket, owner, Access.of(AccessMode.READ_ONLY), BucketOptions.unmanaged());
        fixture().store().update(fixture().call(), narrow);
        fixture().store().update(fixture().call(), narrow);
        fixture().refused(() -> application.put("key", "other"));
        assertThat(application.get("key")).isEqualTo("text");
    }

    private static Connection in(BucketName bucket, ProvisionedBucket made) {
        return switch (made.connection()) {
            case Connection.S3 s3 ->
                new Connection.S3(bucket, s3.endpoint(), s3.region(), s3.subRegion(), s3.pathStyle());
            case Connection.Azure azure -> new Connection.Azure(bucket, azure.endpoint(), azure.account());
            case Connection.Gcs gcs -> new Connection.Gcs(bucket, gcs.endpoint(), gcs.project());
        };
    }
}
