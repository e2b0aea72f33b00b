package io.bucketwright.cosi.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class RecentGrantsTest {

    private static final DriverGrantBucketAccessRequest REQUEST = DriverGrantBucketAccessRequest.newBuilder()
            .setBucketId("bucket-1")
            .setName("ba-1")
            .build();
    private static final DriverGrantBucketAccessResponse ANSWER =
            DriverGrantBucketAccessResponse.newBuilder().setAccountId("ba-1").build();

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final RecentGrants grants = new RecentGrants(now::get);

    @Test
    void theSameRequestHasTheSameAnswerWhileItIsRepeated() {
        assertThat(grants.find(REQUEST)).isEmpty();
        grants.put(REQUEST, ANSWER);
        later(Duration.ofMinutes(9));
        assertThat(grants.find(REQUEST)).contains(ANSWER);
        later(Duration.ofMinutes(9));
        assertThat(grants.find(REQUEST)).contains(ANSWER);
        later(Duration.ofMinutes(11));
        assertThat(grants.find(REQUEST)).isEmpty();
    }

    @Test
    void otherParametersAreAnotherGrant() {
        grants.put(REQUEST, ANSWER);
        assertThat(grants.find(
                        REQUEST.toBuilder().putParameters("accessMode", "ro").build()))
                .isEmpty();
    }

    @Test
    void aRevokedAccountIsGrantedAgain() {
        grants.put(REQUEST, ANSWER);
        grants.remove("bucket-1", "ba-1");
        assertThat(grants.find(REQUEST)).isEmpty();
    }

    private void later(Duration time) {
        now.updateAndGet(before -> before.plus(time));
    }
}
