package io.bucketwright.cosi.controller.claims;

import static io.bucketwright.cosi.controller.claims.ReleasedSamples.CREATED;
import static io.bucketwright.cosi.controller.claims.ReleasedSamples.bucketClass;
import static io.bucketwright.cosi.controller.claims.ReleasedSamples.claim;
import static io.bucketwright.cosi.controller.claims.ReleasedSamples.created;
import static io.bucketwright.cosi.controller.claims.ReleasedSamples.deleted;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ClaimDiagnosisTest {

    @Test
    void theReasonIsWhatTheControllerWouldReportWithoutItsGracePeriods() {
        assertThat(explain(claim("", true, "bucket-1"), created(true, "Delete")))
                .isEqualTo("Bound: Bucket bucket-1 is ready.");
        assertThat(explain(claim("", false, "bucket-1"), created(false, "Delete")))
                .startsWith("WaitingForProvisioner: Bucket bucket-1 is not ready: driver \"driver.test\"");
        assertThat(explain(claim("", true, "bucket-1"), null)).startsWith("BucketDeleted: ");
        assertThat(explain(deleted(claim("", true, "bucket-1")), created(true, "Delete"), "viewer"))
                .isEqualTo("InUse: The deletion waits until these BucketAccesses are deleted: viewer.");
        assertThat(explain(claim("", false, "bucket-1"), null)).contains("check that", "cosi controller");
    }

    private static String explain(BucketClaim claim, @Nullable ReleasedBucket bucket, String... accesses) {
        return new ClaimDiagnosis(
                        claim,
                        Optional.ofNullable(bucket),
                        Optional.of(bucketClass("driver.test")),
                        Stream.of(accesses)
                                .map(name -> ReleasedSamples.access(name, false))
                                .toList())
                .explain(CREATED.plus(Duration.ofHours(1)));
    }
}
