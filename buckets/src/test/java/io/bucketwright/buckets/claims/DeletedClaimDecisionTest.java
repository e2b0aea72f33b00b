package io.bucketwright.buckets.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketOrigin;
import io.bucketwright.buckets.claims.ClaimStep.ReleaseMode;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeletedClaimDecisionTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "Recycle", "delete", "erase everything"})
    void aBucketWithAnUnknownPolicyIsRetained(String policy) {
        assertThat(DeletedClaimDecision.mode(intent(BucketOrigin.NEW.text(), policy)))
                .isEqualTo(ReleaseMode.RETAIN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "new", "Borrowed"})
    void aBucketOfUnknownOriginIsNotDeleted(String origin) {
        assertThat(DeletedClaimDecision.mode(intent(origin, "Delete"))).isEqualTo(ReleaseMode.UNADOPT);
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
                "uid-1",
                Map.of());
    }
}
