package io.bucketwright.cosi.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.errors.StoreException;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A store that does not respond in time may carry out the request later, also after the bucket was deleted. */
class LateRequestsTest extends DriverAtSocket {

    @Test
    void aBucketWhoseCreationWasNotConfirmedIsDeletedAgainBeforeItCountsAsDeleted() {
        assertUnavailable(() -> stub().createBucket(create().build()));

        assertInProgress();
        now = now.plusSeconds(29);
        assertInProgress();
        now = now.plusSeconds(1);
        stub().deleteBucket(delete().build());
        assertThat(store.last(DeleteRequest.class).last()).isTrue();
    }

    @Test
    void alsoIfTheSecondCreationWasConfirmed() {
        assertUnavailable(() -> stub().createBucket(create().build()));
        stub().createBucket(create().build());
        assertInProgress();
    }

    @Test
    void otherBucketsAreDeletedWithoutWaiting() {
        assertUnavailable(() -> stub().createBucket(create().build()));
        stub().createBucket(create().setBucketName("films").build());
        stub().deleteBucket(delete().setBucketName("films").build());
        assertThat(store.last(DeleteRequest.class).bucket().text()).isEqualTo("films");
    }

    @Test
    void aBucketThatTheStoreRefusedIsDeletedWithoutWaiting() {
        store.happens = _ -> {
            throw new StoreException.Invalid("The name is not allowed.");
        };
        assertRefused(CosiError.CREATE_INVALID_ARGUMENT, () -> stub().createBucket(create().build()));
        store.happens = _ -> {};
        stub().deleteBucket(delete().build());
    }

    /** The store did not respond for a while, and carries out what it received before the first deletion. */
    @Test
    void theTimeBeginsWithTheFirstDeletionThatTheStoreConfirms() {
        assertUnavailable(() -> stub().createBucket(create().build()));
        assertUnavailable(() -> stub().deleteBucket(delete().build()));
        now = now.plusSeconds(60);
        assertInProgress();
        now = now.plusSeconds(30);
        stub().deleteBucket(delete().build());
    }

    @Test
    void aBucketIsDeletedWithoutWaitingLongAfterAnUnconfirmedCreation() {
        assertUnavailable(() -> stub().createBucket(create().build()));
        stub().createBucket(create().build());
        now = now.plusSeconds(601);
        stub().deleteBucket(delete().build());
        assertThat(store.last(DeleteRequest.class).last()).isTrue();
    }

    private void assertInProgress() {
        assertRefused(CosiError.DELETE_DELETE_INPROGRESS, () -> stub().deleteBucket(delete().build()))
                .contains("photos", "may still create it", "Call again");
        assertThat(store.last(DeleteRequest.class).last()).isFalse();
    }

    /** The store does not respond to this call, and responds to later ones. */
    private void assertUnavailable(ThrowingCallable call) {
        store.happens = _ -> {
            throw new StoreException.Unavailable("The store did not respond in time.");
        };
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(Code.UNAVAILABLE));
        store.happens = _ -> {};
    }
}
