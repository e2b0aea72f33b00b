package io.bucketwright.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.options.Capability;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests who owns a bucket. */
public interface OwnershipContract extends Contract {

    @Test
    default void provisionCreatesABucketAndCredentials() {
        BucketName bucket = fixture().newBucket();
        ProvisionedBucket made = fixture().provision(bucket, fixture().newOwner());
        assertThat(fixture().subject().bucketExists(bucket)).isTrue();
        assertThat(made.connection().bucket()).isEqualTo(bucket);
        assertThat(made.credentials().keyId()).isPresent();
    }

    @Test
    default void provisioningAgainContinuesWithTheSameBucket() {
        BucketName bucket = fixture().newBucket();
        BucketOwner owner = fixture().newOwner();
        ProvisionedBucket first = fixture().provision(bucket, owner);
        ProvisionedBucket second = fixture().provision(bucket, owner);
        assertThat(second.connection()).isEqualTo(first.connection());
        assertThat(second.credentials()).isNotEqualTo(first.credentials());
    }

    @Test
    default void anUntaggedBucketIsTaken() {
        BucketName bucket = fixture().foreignBucket();
        assertThatThrownBy(() -> fixture().provision(bucket, fixture().newOwner()))
                .isInstanceOf(Taken.class);
        assertThat(fixture().subject().bucketExists(bucket)).isTrue();
    }

    @Test
    default void anUntaggedBucketWithObjectsIsTakenEvenIfTheNameIsGenerated() {
        needsObjects();
        BucketName bucket = fixture().foreignBucket();
        ObjectClient somebody =
                fixture().application(fixture().grant(bucket, fixture().newOwner(), Access.readWrite()));
        somebody.put("precious", "data");
        BucketOwner owner = fixture().newOwner();
        ProvisionRequest request = new ProvisionRequest(
                bucket, Naming.GENERATED, owner, Access.readWrite(), BucketOptions.unmanaged(), Set.of());
        assertThatThrownBy(() -> fixture().store().provision(fixture().call(), request))
                .isInstanceOf(Taken.class);
        assertThat(somebody.get("precious")).isEqualTo("data");
    }

    @Test
    default void aBucketOfAnotherOwnerIsTaken() {
        BucketName bucket = fixture().newBucket();
        fixture().provision(bucket, fixture().newOwner());
        assertThatThrownBy(() -> fixture().provision(bucket, fixture().newOwner()))
                .isInstanceOf(Taken.class);
    }

    @Test
    default void theSameUidInAnotherClusterIsAnotherOwner() {
        BucketName bucket = fixture().newBucket();
        BucketOwner owner = fixture().newOwner();
        fixture().provision(bucket, owner);
        BucketOwner twin = new BucketOwner("another-cluster", owner.uid());
        assertThatThrownBy(() -> fixture().provision(bucket, twin)).isInstanceOf(Taken.class);
        assertThatThrownBy(() -> fixture().delete(bucket, twin, OnNotEmpty.PURGE))
                .isInstanceOf(Taken.class);
        assertThat(fixture().subject().bucketExists(bucket)).isTrue();
    }

    @Test
    default void aBucketOfAnotherOwnerIsNeverDeleted() {
        BucketName foreign = fixture().foreignBucket();
        BucketName others = fixture().newBucket();
        fixture().provision(others, fixture().newOwner());
        BucketOwner owner = fixture().newOwner();
        assertThatThrownBy(() -> fixture().delete(foreign, owner, OnNotEmpty.PURGE))
                .isInstanceOf(Taken.class);
        assertThatThrownBy(() -> fixture().delete(others, owner, OnNotEmpty.PURGE))
                .isInstanceOf(Taken.class);
        assertThat(fixture().subject().bucketExists(foreign)).isTrue();
        assertThat(fixture().subject().bucketExists(others)).isTrue();
    }

    @Test
    default void grantingOnAMissingBucketIsNotFound() {
        BucketName missing = fixture().newBucket();
        assertThatThrownBy(() -> fixture().grant(missing, fixture().newOwner(), Access.readWrite()))
                .isInstanceOf(NotFound.class);
    }

    @Test
    default void grantingDoesNotChangeTheBucket() {
        BucketName bucket = fixture().foreignBucket();
        fixture().grant(bucket, fixture().newOwner(), Access.readWrite());
        fixture().grant(bucket, fixture().newOwner(), Access.readWrite());
        assertThat(fixture().subject().tags(bucket)).isEmpty();
    }

    @Test
    default void withoutAccessNoPrincipalIsCreated() {
        BucketName bucket = fixture().newBucket();
        ProvisionedBucket made = fixture().provision(bucket, fixture().newOwner(), Access.none());
        assertThat(made.credentials()).isEqualTo(new Credentials.None());
        assertThat(fixture().subject().bucketExists(bucket)).isTrue();
    }

    @Test
    default void concurrentCallsCreateOneBucket() throws Exception {
        BucketName bucket = fixture().newBucket();
        BucketOwner owner = fixture().newOwner();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Boolean> call = () -> {
                try {
                    fixture().provision(bucket, owner);
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
        ProvisionedBucket made = fixture().provision(bucket, owner);
        if (fixture().subject().hasObjects()) {
            fixture().application(made).put("key", "text");
        }
        fixture().delete(bucket, owner, OnNotEmpty.PURGE);
        assertThat(fixture().subject().bucketExists(bucket)).isFalse();
    }

    @Test
    default void aReleasedBucketCanBeAdoptedAndIsNeverDeleted() {
        needs(Capability.RELEASE);
        BucketName bucket = fixture().newBucket();
        BucketOwner first = fixture().newOwner();
        BucketOwner next = fixture().newOwner();
        fixture().provision(bucket, first);
        assertThatThrownBy(() -> fixture().store().adopt(fixture().call(), new AdoptRequest(bucket, next, true)))
                .isInstanceOf(Taken.class);
        fixture().store().release(fixture().call(), bucket, first);
        fixture().store().release(fixture().call(), bucket, first);
        assertThatThrownBy(() -> fixture().provision(bucket, first)).isInstanceOf(Taken.class);
        assertThatThrownBy(() -> fixture().delete(bucket, first, OnNotEmpty.PURGE))
                .isInstanceOf(Taken.class);
        fixture().store().adopt(fixture().call(), new AdoptRequest(bucket, next, false));
        fixture().store().adopt(fixture().call(), new AdoptRequest(bucket, next, false));
        assertThatThrownBy(() -> fixture().delete(bucket, next, OnNotEmpty.PURGE))
                .isInstanceOf(Taken.class);
        assertThatThrownBy(() -> fixture().store().release(fixture().call(), bucket, first))
                .isInstanceOf(Taken.class);
        assertThat(fixture().subject().bucketExists(bucket)).isTrue();
    }

    @Test
    default void anUntaggedBucketIsAdoptedOnlyIfAllowed() {
        needs(Capability.RELEASE);
        BucketName bucket = fixture().foreignBucket();
        BucketOwner owner = fixture().newOwner();
        assertThatThrownBy(() -> fixture().store().adopt(fixture().call(), new AdoptRequest(bucket, owner, false)))
                .isInstanceOf(Taken.class);
        fixture().store().adopt(fixture().call(), new AdoptRequest(bucket, owner, true));
        assertThatThrownBy(() -> fixture().delete(bucket, owner, OnNotEmpty.PURGE))
                .isInstanceOf(Taken.class);
    }
}
