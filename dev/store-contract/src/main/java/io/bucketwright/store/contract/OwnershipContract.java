package io.bucketwright.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.OnOpenBucket;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.TransferRequest;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.Reclaim;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.CannedAcl;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.options.Capability;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests who owns a bucket. */
public interface OwnershipContract extends Contract {

    @Test
    default void provisionCreatesABucketAndCredentials() {
        ProvisionedBucket made = provision(bucket(), newOwner());
        assertThat(subject().bucketExists(bucket())).isTrue();
        assertThat(made.connection().bucket()).isEqualTo(bucket());
        assertThat(made.credentials().keyId()).isPresent();
    }

    @Test
    default void provisioningAgainContinuesWithTheSameBucket() {
        ProvisionedBucket first = provision(bucket(), owner());
        ProvisionedBucket second = provision(bucket(), owner());
        assertThat(second.connection()).isEqualTo(first.connection());
        assertThat(second.credentials()).isNotEqualTo(first.credentials());
    }

    @Test
    default void anUntaggedBucketIsTaken() {
        BucketName bucket = foreignBucket();
        assertThatThrownBy(() -> provision(bucket, newOwner())).isInstanceOf(Taken.class);
        assertThat(subject().bucketExists(bucket)).isTrue();
    }

    @Test
    default void anUntaggedBucketWithObjectsIsTakenEvenIfTheNameIsGenerated() {
        needsObjects();
        BucketName bucket = foreignBucket();
        ObjectClient somebody = application(grant(bucket, newOwner(), Access.readWrite()));
        somebody.put("precious", "data");
        ProvisionRequest request = new ProvisionRequest(
                bucket, Naming.GENERATED, owner(), Access.readWrite(), BucketOptions.unmanaged(), Set.of());
        assertThatThrownBy(() -> store().provision(call(), request)).isInstanceOf(Taken.class);
        assertThat(somebody.get("precious")).isEqualTo("data");
    }

    @Test
    default void aBucketOfAnotherOwnerIsTaken() {
        provision(bucket(), newOwner());
        assertThatThrownBy(() -> provision(bucket(), newOwner())).isInstanceOf(Taken.class);
    }

    @Test
    default void theSameUidInAnotherClusterIsAnotherOwner() {
        provision(bucket(), owner());
        BucketOwner twin = new BucketOwner("another-cluster", owner().uid());
        assertThatThrownBy(() -> provision(bucket(), twin)).isInstanceOf(Taken.class);
        assertThatThrownBy(() -> delete(bucket(), twin, OnNotEmpty.PURGE)).isInstanceOf(Taken.class);
        assertThat(subject().bucketExists(bucket())).isTrue();
    }

    @Test
    default void aBucketOfAnotherOwnerIsNeverDeleted() {
        BucketName foreign = foreignBucket();
        BucketName others = newBucket();
        provision(others, newOwner());
        assertThatThrownBy(() -> delete(foreign, owner(), OnNotEmpty.PURGE)).isInstanceOf(Taken.class);
        assertThatThrownBy(() -> delete(others, owner(), OnNotEmpty.PURGE)).isInstanceOf(Taken.class);
        assertThat(subject().bucketExists(foreign)).isTrue();
        assertThat(subject().bucketExists(others)).isTrue();
    }

    @Test
    default void grantingOnAMissingBucketIsNotFound() {
        BucketName missing = newBucket();
        assertThatThrownBy(() -> grant(missing, newOwner(), Access.readWrite())).isInstanceOf(NotFound.class);
    }

    @Test
    default void grantingDoesNotChangeTheBucket() {
        BucketName bucket = foreignBucket();
        grant(bucket, newOwner(), Access.readWrite());
        grant(bucket, newOwner(), Access.readWrite());
        assertThat(subject().tags(bucket)).isEmpty();
    }

    @Test
    default void withoutAccessNoPrincipalIsCreated() {
        ProvisionedBucket made = provision(bucket(), newOwner(), Access.none());
        assertThat(made.credentials()).isEqualTo(Credentials.NONE);
        assertThat(subject().bucketExists(bucket())).isTrue();
    }

    @Test
    default void concurrentCallsCreateOneBucket() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Boolean> call = () -> {
                try {
                    provision(bucket(), owner());
                } catch (Unavailable tooManyAtOnce) {
                    // Allowed: the caller retries. Other errors are not.
                }
                return true;
            };
            for (var result :
                    threads.invokeAll(IntStream.range(0, 6).mapToObj(i -> call).toList())) {
                assertThat(result.get()).isTrue();
            }
        }
        ProvisionedBucket made = provision(bucket(), owner());
        if (subject().hasObjects()) {
            application(made).put("key", "text");
        }
        delete(bucket(), owner(), OnNotEmpty.PURGE);
        assertThat(subject().bucketExists(bucket())).isFalse();
    }

    @Test
    default void aReleasedBucketCanBeAdoptedAndIsNeverDeleted() {
        needs(Capability.RELEASE);
        BucketOwner first = newOwner();
        BucketOwner next = newOwner();
        provision(bucket(), first);
        assertThatThrownBy(() -> adopting().adopt(call(), new AdoptRequest(bucket(), next, true)))
                .isInstanceOf(Taken.class);
        adopting().release(call(), bucket(), first);
        adopting().release(call(), bucket(), first);
        assertThatThrownBy(() -> provision(bucket(), first)).isInstanceOf(Taken.class);
        assertThatThrownBy(() -> delete(bucket(), first, OnNotEmpty.PURGE)).isInstanceOf(Taken.class);
        adopting().adopt(call(), new AdoptRequest(bucket(), next, false));
        adopting().adopt(call(), new AdoptRequest(bucket(), next, false));
        assertThatThrownBy(() -> delete(bucket(), next, OnNotEmpty.PURGE)).isInstanceOf(Taken.class);
        assertThatThrownBy(() -> adopting().release(call(), bucket(), first)).isInstanceOf(Taken.class);
        assertThat(subject().bucketExists(bucket())).isTrue();
    }

    @Test
    default void anOpenBucketIsAdoptedOnlyIfItMayBeClosed() {
        needs(Capability.RELEASE);
        needsObjects();
        for (BucketOption option : openingOptions()) {
            if (store().capabilities().contains(option.needs())) {
                BucketName bucket = newBucket();
                BucketOwner first = newOwner();
                BucketOwner next = newOwner();
                store().provision(
                                call(),
                                new ProvisionRequest(
                                        bucket,
                                        Naming.GIVEN,
                                        first,
                                        Access.readWrite(),
                                        BucketOptions.of(option),
                                        Set.of()));
                adopting().release(call(), bucket, first);
                assertThatThrownBy(() -> adopting().adopt(call(), new AdoptRequest(bucket, next, false)))
                        .isInstanceOf(Invalid.class);
                adopting().adopt(call(), new AdoptRequest(bucket, next, false, OnOpenBucket.CLOSE));
                assertThat(subject().isSet(bucket, option).orElse(false)).isFalse();
            }
        }
    }

    private List<BucketOption> openingOptions() {
        return Stream.concat(subject().anonymousModes().stream(), Stream.<BucketOption>of(CannedAcl.PUBLIC_READ))
                .toList();
    }

    @Test
    default void anUntaggedBucketIsAdoptedOnlyIfAllowed() {
        needs(Capability.RELEASE);
        BucketName bucket = foreignBucket();
        assertThatThrownBy(() -> adopting().adopt(call(), new AdoptRequest(bucket, owner(), false)))
                .isInstanceOf(Taken.class);
        adopting().adopt(call(), new AdoptRequest(bucket, owner(), true));
        assertThatThrownBy(() -> delete(bucket, owner(), OnNotEmpty.PURGE)).isInstanceOf(Taken.class);
    }

    @Test
    default void aReleasedBucketIsAdoptedOnlyByItsNamespaceUnlessAllowed() {
        needs(Capability.RELEASE);
        BucketOwner first = newOwner();
        BucketOwner next = newOwner();
        store().provision(call(), request(bucket(), first, new ClaimIdentity("a", "uid-a", "photos")));
        adopting().release(call(), bucket(), first);
        for (ClaimIdentity other : List.of(
                new ClaimIdentity("a-b", "uid-b", "photos"),
                new ClaimIdentity("a", "uid-of-the-next-a", "photos"),
                new ClaimIdentity("a", "", "photos"))) {
            assertThatThrownBy(() -> adopting().adopt(call(), adoption(next, other, false)))
                    .as("%s", other)
                    .isInstanceOf(Taken.class);
        }
        adopting().adopt(call(), adoption(next, new ClaimIdentity("a", "uid-a", "videos"), false));
        adopting().release(call(), bucket(), next);
        adopting().adopt(call(), adoption(first, new ClaimIdentity("b", "uid-b", "x"), true));
    }

    @Test
    default void ofSeveralOwnersThatAdoptOneAfterTheOtherTheFirstOneKeepsTheBucket() {
        needs(Capability.RELEASE);
        BucketOwner first = newOwner();
        BucketOwner next = newOwner();
        provision(bucket(), owner());
        adopting().release(call(), bucket(), owner());
        adopting().adopt(call(), new AdoptRequest(bucket(), first, true));
        assertThatThrownBy(() -> adopting().adopt(call(), new AdoptRequest(bucket(), next, true)))
                .isInstanceOf(Taken.class);
    }

    @Test
    default void aClaimThatWasCreatedAgainGetsItsBucketAndTheFormerCredentialsEnd() {
        needs(Capability.RELEASE);
        BucketOwner first = newOwner();
        BucketOwner next = newOwner();
        ProvisionedBucket former =
                store().provision(call(), request(bucket(), first, new ClaimIdentity("a", "uid-1", "photos")));
        for (ClaimIdentity other : List.of(
                new ClaimIdentity("a", "uid-1", "videos"),
                new ClaimIdentity("b", "uid-1", "photos"),
                new ClaimIdentity("a", "uid-of-the-next-a", "photos"),
                new ClaimIdentity("a", "", "photos"),
                ClaimIdentity.NONE)) {
            assertThatThrownBy(() -> store().provision(call(), request(bucket(), next, other)))
                    .as("%s", other)
                    .isInstanceOf(Taken.class);
        }
        ProvisionedBucket again =
                store().provision(call(), request(bucket(), next, new ClaimIdentity("a", "uid-1", "photos")));
        if (subject().hasObjects()) {
            application(again).put("key", "text");
            refused(() -> application(former).get("key"));
        }
        assertThatThrownBy(() -> delete(bucket(), first, OnNotEmpty.PURGE)).isInstanceOf(Taken.class);
        delete(bucket(), next, OnNotEmpty.PURGE);
        assertThat(subject().bucketExists(bucket())).isFalse();
    }

    @Test
    default void whatAFormerClaimHadToKeepIsNeitherDeletedNorErased() {
        needs(Capability.RELEASE);
        ClaimIdentity claim = new ClaimIdentity("a", "uid-1", "photos");
        store().provision(call(), request(bucket(), newOwner(), claim, Reclaim.RETAIN));
        BucketOwner next = newOwner();
        store().provision(call(), request(bucket(), next, claim, Reclaim.DELETE));
        assertThatThrownBy(() -> delete(bucket(), next, OnNotEmpty.PURGE)).isInstanceOf(Taken.class);
        if (store().capabilities().contains(Capability.ERASE)) {
            assertThatThrownBy(() -> adopting().erase(call(), bucket(), next)).isInstanceOf(Taken.class);
        }
        assertThat(subject().bucketExists(bucket())).isTrue();
        adopting().release(call(), bucket(), next);
    }

    @Test
    default void aClaimThatMayHaveBeenSuspendedGetsItsBucketOnlyByATransfer() {
        needs(Capability.RELEASE);
        ClaimIdentity claim = new ClaimIdentity("a", "uid-1", "photos");
        BucketOwner first = newOwner();
        BucketOwner next = newOwner();
        store().provision(call(), request(bucket(), first, claim, Reclaim.SUSPEND));
        assertThatThrownBy(() -> store().provision(call(), request(bucket(), next, claim)))
                .isInstanceOf(Taken.class);
        assertThatThrownBy(() -> adopting().adopt(call(), adoption(next, claim, true)))
                .isInstanceOf(Taken.class);
        adopting().transfer(call(), TransferRequest.ofClaim(bucket(), first.clusterId(), first.clusterId(), claim));
        store().provision(call(), request(bucket(), next, claim));
        assertThatThrownBy(() -> delete(bucket(), next, OnNotEmpty.PURGE)).isInstanceOf(Taken.class);
        assertThat(subject().bucketExists(bucket())).isTrue();
    }

    @Test
    default void aNamespaceThatWasCreatedAgainGetsABucketOnlyByATransfer() {
        needs(Capability.RELEASE);
        BucketOwner first = newOwner();
        BucketOwner next = newOwner();
        ClaimIdentity restored = new ClaimIdentity("a", "uid-2", "photos");
        store().provision(call(), request(bucket(), first, new ClaimIdentity("a", "uid-1", "photos")));
        assertThatThrownBy(() -> store().provision(call(), request(bucket(), next, restored)))
                .isInstanceOf(Taken.class);
        TransferRequest request = TransferRequest.ofClaim(bucket(), first.clusterId(), first.clusterId(), restored);
        adopting().transfer(call(), request);
        adopting().transfer(call(), request);
        store().provision(call(), request(bucket(), next, restored));
        delete(bucket(), next, OnNotEmpty.PURGE);
        assertThat(subject().bucketExists(bucket())).isFalse();
    }

    @Test
    default void aClaimThatWasCreatedAgainWithoutItsOptionsGetsAClosedBucket() {
        needs(Capability.RELEASE);
        needsObjects();
        for (BucketOption option : openingOptions()) {
            if (store().capabilities().contains(option.needs())) {
                BucketName bucket = newBucket();
                ClaimIdentity claim = new ClaimIdentity("a", "uid-1", "photos");
                store().provision(
                                call(),
                                new ProvisionRequest(
                                        bucket,
                                        Naming.GIVEN,
                                        newOwner(),
                                        claim,
                                        Reclaim.DELETE,
                                        Access.readWrite(),
                                        BucketOptions.of(option),
                                        Set.of()));
                store().provision(call(), request(bucket, newOwner(), claim));
                assertThat(subject().isSet(bucket, option).orElse(false)).isFalse();
            }
        }
    }

    @Test
    default void aBucketOfAnotherClusterNeedsATransfer() {
        needs(Capability.RELEASE);
        BucketOwner former = new BucketOwner("former-cluster", newOwner().uid());
        BucketOwner next = newOwner();
        ClaimIdentity claim = new ClaimIdentity("a", "uid-1", "photos");
        ProvisionedBucket old = store().provision(call(), request(bucket(), former, claim));
        assertThatThrownBy(() -> store().provision(call(), request(bucket(), next, claim)))
                .isInstanceOf(Taken.class);
        for (TransferRequest wrong : List.of(
                TransferRequest.ofClaim(bucket(), "third-cluster", next.clusterId(), claim),
                TransferRequest.ofClaim(
                        bucket(), "former-cluster", next.clusterId(), new ClaimIdentity("a", "uid-1", "videos")))) {
            assertThatThrownBy(() -> adopting().transfer(call(), wrong)).isInstanceOf(Taken.class);
        }
        TransferRequest request = TransferRequest.ofClaim(bucket(), "former-cluster", next.clusterId(), claim);
        adopting().transfer(call(), request);
        adopting().transfer(call(), request);
        ProvisionedBucket again = store().provision(call(), request(bucket(), next, claim));
        if (subject().hasObjects()) {
            application(again).put("key", "text");
            refused(() -> application(old).get("key"));
        }
        delete(bucket(), next, OnNotEmpty.PURGE);
        assertThat(subject().bucketExists(bucket())).isFalse();
    }

    @Test
    default void aBucketOfTheSameUidInAnotherClusterIsTransferredByTheUid() {
        needs(Capability.RELEASE);
        BucketOwner next = newOwner();
        BucketOwner former = new BucketOwner("former-cluster", next.uid());
        store().provision(call(), request(bucket(), former, ClaimIdentity.NONE));
        assertThatThrownBy(() -> store().checkCluster(call(), bucket(), next)).isInstanceOf(Taken.class);
        assertThatThrownBy(() -> delete(bucket(), next, OnNotEmpty.PURGE)).isInstanceOf(Taken.class);
        for (TransferRequest wrong : List.of(
                TransferRequest.ofOwner(bucket(), "third-cluster", next),
                TransferRequest.ofOwner(bucket(), "former-cluster", newOwner()))) {
            assertThatThrownBy(() -> adopting().transfer(call(), wrong)).isInstanceOf(Taken.class);
        }
        store().checkCluster(call(), bucket(), newOwner());
        store().checkCluster(call(), newBucket(), next);
        TransferRequest request = TransferRequest.ofOwner(bucket(), "former-cluster", next);
        adopting().transfer(call(), request);
        adopting().transfer(call(), request);
        store().checkCluster(call(), bucket(), next);
        assertThatThrownBy(() -> store().checkCluster(call(), bucket(), former)).isInstanceOf(Taken.class);
        delete(bucket(), next, OnNotEmpty.PURGE);
        assertThat(subject().bucketExists(bucket())).isFalse();
    }

    private AdoptRequest adoption(BucketOwner owner, ClaimIdentity claim, boolean anyNamespace) {
        return new AdoptRequest(bucket(), owner, claim, false, anyNamespace, OnOpenBucket.REFUSE);
    }

    private static ProvisionRequest request(BucketName bucket, BucketOwner owner, ClaimIdentity claim) {
        return request(bucket, owner, claim, Reclaim.DELETE);
    }

    private static ProvisionRequest request(
            BucketName bucket, BucketOwner owner, ClaimIdentity claim, Reclaim reclaim) {
        return new ProvisionRequest(
                bucket, Naming.GIVEN, owner, claim, reclaim, Access.readWrite(), BucketOptions.unmanaged(), Set.of());
    }
}
