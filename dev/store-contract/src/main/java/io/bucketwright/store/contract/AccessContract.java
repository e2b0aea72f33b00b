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
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.options.Capability;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests what an application can do with its credentials. */
public interface AccessContract extends Contract {

    @Test
    default void readWriteAllowsAllObjectOperations() {
        needsObjects();
        ObjectClient application = application(provision(newBucket(), newOwner()));
        application.put("a/key", "text");
        assertThat(application.get("a/key")).isEqualTo("text");
        assertThat(application.list("")).containsExactly("a/key");
        application.delete("a/key");
        assertThat(application.list("")).isEmpty();
    }

    @Test
    default void credentialsGiveNoAccessToOtherBuckets() {
        needsObjects();
        BucketName neighbour = newBucket();
        application(provision(neighbour, newOwner())).put("key", "text");
        ProvisionedBucket made = provision(newBucket(), newOwner());
        ObjectClient intruder = application(new ProvisionedBucket(in(neighbour, made), made.credentials()));
        refused(() -> intruder.get("key"));
        refused(() -> intruder.list(""));
        refused(() -> intruder.put("key", "mine"));
        refused(() -> intruder.delete("key"));
    }

    @Test
    default void credentialsCannotChangeTheBucket() {
        needsObjects();
        ObjectClient application = application(provision(bucket(), newOwner()));
        for (ForbiddenOperation operation : ForbiddenOperation.values()) {
            refused(() -> application.tryForbidden(operation));
        }
        assertThat(subject().bucketExists(bucket())).isTrue();
    }

    @Test
    default void readOnlyAllowsOnlyReading() {
        needsObjects();
        application(provision(bucket(), newOwner())).put("key", "text");
        ObjectClient reader = application(grant(bucket(), newOwner(), Access.of(AccessMode.READ_ONLY)));
        assertThat(reader.get("key")).isEqualTo("text");
        assertThat(reader.list("")).containsExactly("key");
        refused(() -> reader.put("key", "other"));
        refused(() -> reader.delete("key"));
    }

    @Test
    default void writeOnlyAllowsOnlyWriting() {
        needsObjects();
        needs(Capability.WRITE_ONLY);
        ObjectClient owner = application(provision(bucket(), newOwner()));
        ObjectClient writer = application(grant(bucket(), newOwner(), Access.of(AccessMode.WRITE_ONLY)));
        writer.put("key", "text");
        assertThat(owner.get("key")).isEqualTo("text");
        refused(() -> writer.get("key"));
        refused(() -> writer.list(""));
        refused(() -> writer.delete("key"));
    }

    @Test
    default void aPrefixRestrictsAccessToItsObjects() {
        needsObjects();
        needs(Capability.PREFIX);
        ObjectClient owner = application(provision(bucket(), newOwner()));
        owner.put("theirs/key", "secret");
        ObjectClient limited =
                application(grant(bucket(), newOwner(), Access.readWrite().withPrefix("ours/")));
        limited.put("ours/key", "text");
        assertThat(limited.get("ours/key")).isEqualTo("text");
        assertThat(limited.list("ours/")).containsExactly("ours/key");
        limited.delete("ours/key");
        refused(() -> limited.get("theirs/key"));
        refused(() -> limited.put("theirs/key", "mine"));
        refused(() -> limited.delete("theirs/key"));
        refused(() -> limited.list("theirs/"));
        refused(() -> limited.list(""));
    }

    /** One access, whichever store has the bucket. */
    @Test
    default void policyActionsWithTheNamesOfAllStoresRestrictAccess() {
        needsObjects();
        needs(Capability.ACTIONS);
        ObjectClient owner = application(provision(bucket(), newOwner()));
        owner.put("key", "text");
        ObjectClient reader = application(
                grant(bucket(), newOwner(), Access.readWrite().withActions(Set.of("read", "list"), Set.of())));
        assertThat(reader.get("key")).isEqualTo("text");
        assertThat(reader.list("")).containsExactly("key");
        refused(() -> reader.put("other", "text"));
        refused(() -> reader.delete("key"));
        ObjectClient keeper =
                application(grant(bucket(), newOwner(), Access.readWrite().withActions(Set.of("*"), Set.of("delete"))));
        keeper.put("kept", "text");
        assertThat(keeper.get("key")).isEqualTo("text");
        assertThat(keeper.list("")).containsExactlyInAnyOrder("key", "kept");
        refused(() -> keeper.delete("key"));
        ObjectClient all =
                application(grant(bucket(), newOwner(), Access.readWrite().withActions(Set.of("*"), Set.of())));
        all.delete("kept");
    }

    @Test
    default void aPolicyActionThatTheStoreCannotExpressIsRefused() {
        needsObjects();
        Access unknown = Access.readWrite().withActions(Set.of("no:such-action"), Set.of());
        Access nothing = Access.readWrite().withActions(Set.of(), Set.of("*"));
        for (Access access : List.of(unknown, nothing)) {
            BucketName bucket = newBucket();
            assertThatThrownBy(() -> provision(bucket, newOwner(), access))
                    .isInstanceOfAny(Invalid.class, Unsupported.class)
                    .hasMessageContaining("action");
            assertThat(subject().bucketExists(bucket)).isFalse();
        }
        if (!store().capabilities().contains(Capability.ACTIONS)) {
            Access reader = Access.readWrite().withActions(Set.of("read"), Set.of());
            assertThatThrownBy(() -> provision(newBucket(), newOwner(), reader)).isInstanceOf(Unsupported.class);
        }
    }

    @Test
    default void revokingEndsOnlyTheAccessOfThatOwner() {
        needsObjects();
        ObjectClient owner = application(provision(bucket(), newOwner()));
        BucketOwner guest = newOwner();
        ObjectClient application = application(grant(bucket(), guest, Access.readWrite()));
        application.put("key", "text");
        store().revoke(call(), bucket(), guest);
        refused(() -> application.get("key"));
        assertThat(owner.get("key")).isEqualTo("text");
    }

    @Test
    default void revokingTwiceSucceeds() {
        store().revoke(call(), bucket(), owner());
        provision(bucket(), owner());
        store().revoke(call(), bucket(), owner());
        store().revoke(call(), bucket(), owner());
        assertThat(subject().bucketExists(bucket())).isTrue();
    }

    @Test
    default void unsuspendEnablesTheSameKeys() {
        needs(Capability.SUSPEND);
        ProvisionedBucket made = provision(bucket(), owner());
        rotating().suspend(call(), bucket(), owner());
        rotating().suspend(call(), bucket(), owner());
        if (subject().hasObjects()) {
            refused(() -> application(made).put("key", "text"));
        }
        rotating().unsuspend(call(), bucket(), owner());
        rotating().unsuspend(call(), bucket(), owner());
        if (subject().hasObjects()) {
            eventually(() -> application(made).put("key", "text"));
        }
    }

    @Test
    default void suspendingAMissingPrincipalSucceedsAndUnsuspendingItIsNotFound() {
        needs(Capability.SUSPEND);
        BucketOwner nobody = newOwner();
        rotating().suspend(call(), bucket(), nobody);
        assertThatThrownBy(() -> rotating().unsuspend(call(), bucket(), nobody)).isInstanceOf(NotFound.class);
    }

    @Test
    default void accessCanBeRestrictedWithTheSameKeys() {
        needsObjects();
        needs(Capability.ACCESS);
        ObjectClient application = application(provision(bucket(), owner()));
        application.put("key", "text");
        UpdateRequest narrow =
                new UpdateRequest(bucket(), owner(), Access.of(AccessMode.READ_ONLY), BucketOptions.unmanaged());
        store().update(call(), narrow);
        store().update(call(), narrow);
        refused(() -> application.put("key", "other"));
        assertThat(application.get("key")).isEqualTo("text");
    }

    private static Connection in(BucketName bucket, ProvisionedBucket made) {
        Connection own = made.connection();
        Map<String, String> values = new HashMap<>(own.values());
        values.replaceAll((_, value) -> value.equals(own.bucket().text()) ? bucket.text() : value);
        return new Connection(bucket, own.endpoint(), values);
    }
}
