package io.bucketwright.cosi.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.cosi.driver.DriverOperations.BucketCall;
import io.bucketwright.cosi.proto.DriverInfoRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessResponse;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.Stores;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.observation.StoreObserver;
import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Grants that take longer than their callers wait. */
class AbandonedGrantTest extends DriverAtSocket {

    private static final GrantPermissions ALL = new GrantPermissions(Map.of());

    private final CountDownLatch over = new CountDownLatch(1);

    /** So that a store that is slower than the sidecar's timeout ends with one key, and not with one for each call. */
    @Test
    void aGrantThatHasBegunIsFinishedAndTheNextCallGetsItsKey() throws InterruptedException {
        abandonedGrant();
        over.countDown();
        DriverGrantBucketAccessResponse granted = released().driverGrantBucketAccess(ServedClusters.grant(Map.of()));

        assertThat(granted.getAccountId()).isEqualTo("ba-1");
        assertThat(granted.getCredentialsOrThrow("s3").getSecretsMap()).containsEntry("accessKeyID", "KEY1");
        assertThat(store.requests).hasSize(1);
    }

    @Test
    void aRevocationByNameWaitsForItAndRevokesTheSamePrincipal() throws InterruptedException {
        abandonedGrant();
        Thread revocation =
                Thread.startVirtualThread(() -> released().driverRevokeBucketAccess(ServedClusters.revoke()));
        stub().driverInfo(DriverInfoRequest.getDefaultInstance());
        assertThat(store.requests).as("the revocation waits").hasSize(1);
        over.countDown();
        revocation.join();

        assertThat(store.requests).hasSize(2);
        assertThat(store.requests.getLast())
                .isEqualTo(((GrantRequest) store.requests.getFirst()).owner())
                .isInstanceOf(BucketOwner.class);
    }

    /** It would replace the key that a later call got. */
    @Test
    void aGrantThatOnlyWaitsForItsTurnEndsWithItsCaller() throws InterruptedException {
        DriverOperations acts = new DriverOperations(
                Map.of(),
                new DriverStores(new Stores(List.of(store)), "recording", own::get, StoreObserver.none()),
                Duration.ofSeconds(1),
                () -> now);
        Thread begun = startCall(over, () -> acts.grant(call(StoreCall.within(RpcAnswers.LONGEST)), "ba-1", ALL));
        StoreCall cancelled = StoreCall.within(RpcAnswers.LONGEST);
        Thread waiting =
                Thread.startVirtualThread(() -> assertThatThrownBy(() -> acts.grant(call(cancelled), "ba-1", ALL))
                        .isInstanceOf(StoreException.Unavailable.class));
        cancelled.cancel();
        waiting.join();
        over.countDown();
        begun.join();

        assertThat(store.requests).hasSize(1);
    }

    private static BucketCall call(StoreCall time) {
        return new BucketCall(time, "photos", OwnershipTags.of(IDS, "test"), Map.of(), Map.of());
    }

    /** The store has been asked when this returns, and nobody waits for the answer. */
    private void abandonedGrant() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Context.CancellableContext caller = Context.current().withCancellation();
        store.happens = call -> {
            begun.countDown();
            holdUntilOver(call);
        };
        Thread grant = Thread.startVirtualThread(() -> caller.run(() -> assertThatThrownBy(
                        () -> released().driverGrantBucketAccess(ServedClusters.grant(Map.of())))
                .isInstanceOf(StatusRuntimeException.class)));
        assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
        caller.cancel(null);
        grant.join();
    }

    private void holdUntilOver(StoreCall call) {
        call.interruptible(() -> {
            try {
                return over.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                throw new IllegalStateException("a grant that has begun was cancelled", e);
            }
        });
    }
}
