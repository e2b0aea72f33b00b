package io.bucketwright.cosi.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.proto.AccessMode;
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.TransferRequest;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.options.AppliedOptions;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import io.bucketwright.store.options.BucketOption.Versioning;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What CreateBucket and DeleteBucket ask of the store. */
class BucketCallsTest extends DriverAtSocket {

    @Test
    void aBucketIsCreatedWithItsOwnershipTagAndWithoutAnyAccess() {
        var response = stub().createBucket(create().build());

        ProvisionRequest asked = store.last(ProvisionRequest.class);
        assertThat(asked.bucket().text()).isEqualTo("photos");
        assertThat(asked.owner()).isEqualTo(new BucketOwner("cluster-1", "uid-1"));
        assertThat(asked.access()).isEqualTo(Access.none());
        assertThat(asked.naming()).isEqualTo(Naming.GIVEN);
        assertThat(response.getBucket().getName()).isEqualTo("photos");
        assertThat(response.getBucket().getProvisioner()).isEqualTo("test.example.com");
        assertThat(response.getBucket().getProviderContext().getGenericContext().getBucketDataMap())
                .containsEntry("BUCKET_ENDPOINT", "http://s3.example.com:9000")
                .containsEntry("BUCKET_REGION", "eu-1")
                .doesNotContainKey("AWS_SECRET_ACCESS_KEY");
    }

    @Test
    void aNameThatEndsWithAUidIsGenerated() {
        stub().createBucket(create().setBucketName("photos-3f6f9a52-1c7e-4d58-9a54-0b8f7e1d2c3a")
                .build());

        assertThat(store.last(ProvisionRequest.class).naming()).isEqualTo(Naming.GENERATED);
    }

    @Test
    void aCallerWithoutIdsOwnsByName() {
        stub().createBucket(create().clearDriverParameters().build());
        BucketOwner first = store.last(ProvisionRequest.class).owner();
        stub().deleteBucket(delete().clearDriverParameters().build());

        assertThat(store.last(DeleteRequest.class).owner()).isEqualTo(first);
        stub().createBucket(
                        create().clearDriverParameters().setBucketName("films").build());
        assertThat(store.last(ProvisionRequest.class).owner()).isNotEqualTo(first);
    }

    @ParameterizedTest
    @ValueSource(strings = {ParameterKeys.CLUSTER, ParameterKeys.OWNER_UID})
    void oneIdWithoutTheOtherIsRejected(String missing) {
        assertRefused(
                CosiError.CREATE_INVALID_ARGUMENT,
                () -> stub().createBucket(
                                create().removeDriverParameters(missing).build()));
    }

    @ParameterizedTest
    @CsvSource({"MODE_UNSPECIFIED, PRIVATE", "RO, READ_ONLY", "WO, WRITE_ONLY", "RW, READ_WRITE"})
    void theAccessModeIsAppliedToTheBucket(AccessMode mode, AnonymousAccess applied) {
        stub().createBucket(create().setAccessMode(mode).build());

        assertThat(store.last(ProvisionRequest.class).options().find(AnonymousAccess.class))
                .contains(applied);
    }

    @Test
    void aStoreWithoutAnonymousAccessGetsNoSuchOption() {
        store.capabilities = Set.of();
        stub().createBucket(create().build());

        assertThat(store.last(ProvisionRequest.class).options().isEmpty()).isTrue();
    }

    @Test
    void anUnknownAccessModeIsRejected() {
        assertRefused(
                CosiError.CREATE_INVALID_ARGUMENT,
                () -> stub().createBucket(create().setAccessModeValue(7).build()));
    }

    @Test
    void parametersOfTheClassSetOptionsOfTheBucket() {
        stub().createBucket(create().putDriverParameters("versioning", "true").build());

        assertThat(store.last(ProvisionRequest.class).options().find(Versioning.class))
                .contains(new Versioning(true));
    }

    @Test
    void aClassCannotSendTheDriversCredentialsElsewhere() {
        assertRefused(
                CosiError.CREATE_INVALID_ARGUMENT,
                () -> stub().createBucket(create().putDriverParameters("endpoint", "http://evil.example.com")
                        .build()));
        assertThat(store.administrators).isEmpty();
    }

    @Test
    void anUnknownParameterIsRejectedAtCreationAndIgnoredAtDeletion() {
        assertRefused(
                CosiError.CREATE_INVALID_ARGUMENT,
                () -> stub().createBucket(
                                create().putDriverParameters("zoen", "a").build()));
        stub().deleteBucket(delete().putDriverParameters("zoen", "a").build());
        stub().revokeBucketAccess(revoke(Map.of("zoen", "a")).build());
    }

    @Test
    void deletingPurgesAndRequiresTheOwnershipTag() {
        stub().deleteBucket(delete().build());

        DeleteRequest asked = store.last(DeleteRequest.class);
        assertThat(asked.owner()).isEqualTo(new BucketOwner("cluster-1", "uid-1"));
        assertThat(asked.onNotEmpty()).isEqualTo(OnNotEmpty.PURGE);
    }

    @Test
    void anonymousAccessEndsBeforeTheBucketIsEmptied() {
        store.slices.set(1);
        assertRefused(CosiError.DELETE_DELETE_INPROGRESS, () -> stub().deleteBucket(delete().build()));

        BucketOwner owner = new BucketOwner("cluster-1", "uid-1");
        assertThat(store.requests)
                .containsExactly(
                        UpdateRequest.removing(new BucketName("photos"), owner, AppliedOptions.ALL_OPENING),
                        new DeleteRequest(new BucketName("photos"), owner, OnNotEmpty.PURGE));

        store.updating = _ -> {
            throw new StoreException.NotFound("There is no bucket photos.");
        };
        stub().deleteBucket(delete().build());
        assertThat(store.requests.getLast()).as("the deletion decides").isInstanceOf(DeleteRequest.class);
    }

    @Test
    void aBucketThatIsKeptForNobodyIsClosedAndNotCreated() {
        stub().createBucket(create().putDriverParameters(ParameterKeys.CLOSE, "true")
                .putDriverParameters("anonymousAccess", "ro")
                .build());

        assertThat(store.requests)
                .containsExactly(UpdateRequest.removing(
                        new BucketName("photos"), new BucketOwner("cluster-1", "uid-1"), AppliedOptions.ALL_OPENING));

        store.updating = _ -> {
            throw new StoreException.NotFound("There is no bucket photos.");
        };
        assertThat(stub().createBucket(create().putDriverParameters(ParameterKeys.CLOSE, "true")
                                .build())
                        .getBucket()
                        .getName())
                .as("nothing opens it")
                .isEqualTo("photos");
        store.updating = _ -> {
            throw new StoreException.Taken("The bucket photos belongs to another claim.");
        };
        assertRefused(
                CosiError.CREATE_ALREADY_EXISTS,
                () -> stub().createBucket(create().putDriverParameters(ParameterKeys.CLOSE, "true")
                        .build()));
    }

    @Test
    void aBucketOfAFormerClusterIsTransferredByTheUidOfItsOwner() {
        stub().createBucket(create().putDriverParameters(ParameterKeys.FORMER_CLUSTER, "former")
                .build());
        TransferRequest expected =
                TransferRequest.ofOwner(new BucketName("photos"), "former", new BucketOwner("cluster-1", "uid-1"));
        assertThat(store.requests).first().isEqualTo(expected);
        assertThat(store.requests.getLast()).isInstanceOf(ProvisionRequest.class);

        store.requests.clear();
        stub().deleteBucket(delete().putDriverParameters(ParameterKeys.FORMER_CLUSTER, "former")
                .build());
        assertThat(store.requests).first().isEqualTo(expected);
        assertThat(store.requests.getLast()).isInstanceOf(DeleteRequest.class);
    }

    @Test
    void theAccountsOfBothClustersAreRevoked() {
        stub().revokeBucketAccess(
                        revoke(Map.of(ParameterKeys.CLUSTER, "cluster-1", ParameterKeys.FORMER_CLUSTER, "former"))
                                .build());
        assertThat(store.requests)
                .extracting(owner -> ((BucketOwner) owner).clusterId())
                .containsExactly("cluster-1", "former");
    }

    @Test
    void aLongDeletionIsInProgressAndContinuesAtTheNextCall() {
        store.slices.set(2);

        for (int slice = 0; slice < 2; slice++) {
            assertRefused(CosiError.DELETE_DELETE_INPROGRESS, () -> stub().deleteBucket(delete().build()));
        }
        stub().deleteBucket(delete().build());
        assertThat(store.requests).filteredOn(DeleteRequest.class::isInstance).hasSize(3);
    }

    @Test
    void aConcurrentDeletionOfTheSameBucketIsInProgress() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        Thread first = startCall(over, () -> stub().deleteBucket(delete().build()));

        assertRefused(CosiError.DELETE_DELETE_INPROGRESS, () -> stub().deleteBucket(delete().build()));
        over.countDown();
        first.join();
        assertThat(store.requests).filteredOn(DeleteRequest.class::isInstance).hasSize(1);
    }

    @Test
    void aNewBucketNeedsANameThatNewBucketsMayHave() {
        assertRefused(
                CosiError.CREATE_INVALID_ARGUMENT,
                () -> stub().createBucket(create().setBucketName("My_Bucket").build()));
        assertThat(store.requests).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a*b", "a/b", "x", "two words"})
    void aBucketWithAnInvalidNameDoesNotExist(String name) {
        assertRefused(
                CosiError.DELETE_BUCKET_DOESNOT_EXIST,
                () -> stub().deleteBucket(delete().setBucketName(name).build()));
        assertThat(store.requests).isEmpty();
    }
}
