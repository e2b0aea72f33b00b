package io.bucketwright.buckets.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketOrigin;
import io.bucketwright.buckets.claims.Step.Manner;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeavingTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "Recycle", "delete", "erase everything"})
    void aBucketWhosePolicyCannotBeReadIsKept(String policy) {
        assertThat(Leaving.manner(intent(BucketOrigin.NEW.text(), policy))).isEqualTo(Manner.RETAIN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "new", "Borrowed"})
    void aBucketOfWhichItIsNotKnownWhetherItWasNewIsNotDestroyed(String origin) {
        assertThat(Leaving.manner(intent(origin, "Delete"))).isEqualTo(Manner.UNADOPT);
    }

    private static BucketIntent intent(String origin, String policy) {
        return new BucketIntent(
                BucketIntent.CURRENT,
                "test.io/bucket",
                "fast",
                "class-1",
                Map.of(),
                origin,
                "b-1",
                policy,
                "team",
                "mine",
                World.UID,
                Map.of());
    }
}
