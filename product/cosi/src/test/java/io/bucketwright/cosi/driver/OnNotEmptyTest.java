package io.bucketwright.cosi.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.cosi.proto.v1alpha1.DriverDeleteBucketRequest;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.errors.StoreException;
import io.grpc.StatusRuntimeException;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Whether a deletion destroys objects: what the driver, a Bucket or neither of them says. */
class OnNotEmptyTest {

    private static final DriverDeleteBucketRequest REQUEST =
            DriverDeleteBucketRequest.newBuilder().setBucketId("photos").build();

    private static DriverDeleteBucketRequest with(String value) {
        return REQUEST.toBuilder().putDeleteContext("onNotEmpty", value).build();
    }

    @Nested
    class OfADriverThatBlocks extends DriverAtSocket {

        OfADriverThatBlocks() {
            super(Map.of("onNotEmpty", "block"));
        }

        @Test
        void nobodyIsToldToSetOnTheBucketWhatTheDriverRefuses() {
            store.happens = _ -> {
                throw new StoreException.NotEmpty("The bucket photos is not empty.");
            };
            assertThatThrownBy(() -> released().driverDeleteBucket(REQUEST))
                    .isInstanceOf(StatusRuntimeException.class)
                    .hasMessageContaining("The bucket photos is not empty.")
                    .hasMessageNotContaining("onNotEmpty");
        }
    }

    @Nested
    class OfADriverThatDoesNotSay extends DriverAtSocket {

        @Test
        void theParameterOfTheBucketIsNamed() {
            store.happens = _ -> {
                throw new StoreException.NotEmpty("The bucket photos is not empty.");
            };
            assertThatThrownBy(() -> released().driverDeleteBucket(REQUEST))
                    .hasMessageContaining("set the parameter onNotEmpty of the Bucket to purge");
        }

        @Test
        void aValueThatCannotBeReadDestroysNothingAndPreventsNoDeletion() {
            released().driverDeleteBucket(with("perhaps"));
            assertThat(store.last(DeleteRequest.class).onNotEmpty()).isEqualTo(OnNotEmpty.BLOCK);
            stub().deleteBucket(delete().putDriverParameters("onNotEmpty", "perhaps")
                    .build());
            assertThat(store.last(DeleteRequest.class).onNotEmpty()).isEqualTo(OnNotEmpty.BLOCK);
            released().driverDeleteBucket(with("Purge"));
            assertThat(store.last(DeleteRequest.class).onNotEmpty()).isEqualTo(OnNotEmpty.PURGE);
        }
    }
}
