package io.bucketwright.cosi.controller.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.BucketSpec;
import io.bucketwright.cosi.bench.Specs;
import io.bucketwright.cosi.controller.steps.ControllerStep;
import io.bucketwright.runtime.controller.Decision;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BucketDecisionTest {

    @ParameterizedTest
    @CsvSource({
        "true, Delete, false, true, true",
        "false, Delete, false, true, false",
        "true, Retain, false, true, false",
        "true, Delete, true, true, false",
        "true, Delete, false, false, false"
    })
    void aBucketIsDeletedOnlyWithTheLastOfItsRequestsIfItWasCreatedForOne(
            boolean createdForRequest, String policy, boolean wanted, boolean released, boolean deleted) {
        Bucket bucket = new Bucket();
        bucket.setMetadata(new ObjectMetaBuilder().withName("photos").build());
        bucket.setSpec(Specs.of(BucketSpec.class, "releasePolicy", policy));
        if (createdForRequest) {
            bucket.setSpec(
                    Specs.with(bucket.getSpec(), "bucketRequest", new BucketRequestRef("team", "photos", "uid-1")));
        }

        Decision<ControllerStep> decision =
                new BucketDecision().decide(new BucketView(bucket, List.of(), wanted, released));

        assertThat(decision).isEqualTo(deleted ? Decision.act(new ControllerStep.Delete(bucket)) : Decision.done());
    }
}
