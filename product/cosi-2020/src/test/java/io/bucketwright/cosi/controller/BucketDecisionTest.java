package io.bucketwright.cosi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketProtocol;
import io.bucketwright.api.cosi.BucketProtocol.S3Bucket;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.BucketSpec;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.CosiStatus;
import io.bucketwright.cosi.fixture.Specs;
import io.bucketwright.cosi.requests.OperationMetrics.Operation;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BucketDecisionTest {

    private static final Instant CREATED = Instant.parse("2026-11-15T12:00:00Z");
    private static final Instant LATER = CREATED.plus(Duration.ofMinutes(10));

    @ParameterizedTest
    @CsvSource({
        "true, Delete, true, false, true, true",
        "false, Delete, true, false, true, false",
        "true, Retain, true, false, true, false",
        "true, Delete, true, true, true, false",
        "true, Delete, true, false, false, false",
        // Nothing was created in the store, or nobody ever had access to it: there is nothing to retain.
        "true, Retain, false, false, true, true",
        "false, Retain, false, false, true, false",
        "true, Retain, false, true, true, false"
    })
    void aBucketIsDeletedOnlyWithTheLastOfItsRequestsIfItWasCreatedForOne(
            boolean createdForRequest,
            String policy,
            boolean provisioned,
            boolean wanted,
            boolean released,
            boolean deleted) {
        Bucket bucket = bucket(createdForRequest, policy, provisioned);

        assertThat(decide(new BucketObservation(bucket, List.of(), wanted, released, false, CREATED)))
                .isEqualTo(deleted ? Decision.act(new ControllerStep.Delete(bucket)) : Decision.done());
    }

    @Test
    void aBucketWhoseRequestDisappearedBeforeItWasCreatedInTheStoreIsDeletedAfterAWhile() {
        Bucket bucket = bucket(true, "Delete", false);
        assertThat(decide(new BucketObservation(bucket, List.of(), false, false, true, CREATED)))
                .isEqualTo(Decision.finish(Result.requeueAfter(Duration.ofMinutes(6))));
        assertThat(decide(new BucketObservation(bucket, List.of(), false, false, true, LATER)))
                .isEqualTo(Decision.act(new ControllerStep.DeleteOrphan(bucket)));
        assertThat(decide(new BucketObservation(bucket, List.of(), true, false, true, LATER)))
                .as("another request uses it")
                .isEqualTo(Decision.done());
    }

    @Test
    void aBucketInTheStoreWhoseRequestDisappearedIsReportedAndNeverDeleted() {
        Bucket bucket = bucket(true, "Delete", true);
        assertThat(decide(new BucketObservation(bucket, List.of(), false, false, true, LATER)))
                .isEqualTo(Decision.act(new ControllerStep.ReportOrphan(bucket)));
        bucket.setStatus(new CosiStatus("Released", "", List.of(), null));
        assertThat(decide(new BucketObservation(bucket, List.of(), false, false, true, LATER)))
                .as("it was released by its user")
                .isEqualTo(Decision.done());
    }

    @Test
    void withoutASidecarTheDeletionOfABucketThatNobodyServedEnds() {
        Bucket bucket = bucket(true, "Delete", false);
        bucket.getMetadata().setDeletionTimestamp(CREATED.toString());
        assertThat(decide(new BucketObservation(bucket, List.of(), false, true, false, CREATED)))
                .isEqualTo(Decision.finish(Result.requeueAfter(Duration.ofMinutes(6))));
        assertThat(decide(new BucketObservation(bucket, List.of(), false, true, false, LATER)))
                .isEqualTo(Decision.act(new ControllerStep.RemoveFinalizer(bucket, Operation.NONE)));

        bucket.setStatus(new CosiStatus(
                "Creating",
                "It failed.",
                List.of(new ConditionBuilder()
                        .withType("Ready")
                        .withStatus("False")
                        .build()),
                null));
        assertThat(decide(new BucketObservation(bucket, List.of(), false, true, false, LATER)))
                .as("the sidecar that reported something may have created it")
                .isEqualTo(Decision.done());
    }

    private static Decision<ControllerStep> decide(BucketObservation view) {
        return new BucketDecision().decide(view);
    }

    private static Bucket bucket(boolean createdForRequest, String policy, boolean provisioned) {
        Bucket bucket = new Bucket();
        bucket.setMetadata(new ObjectMetaBuilder()
                .withName("photos")
                .withCreationTimestamp(CREATED.toString())
                .withFinalizers(CosiNames.FINALIZER)
                .build());
        S3Bucket s3 = new S3Bucket(provisioned ? "http://store.test" : "", "photos-1", "", "");
        bucket.setSpec(Specs.of(
                BucketSpec.class, "releasePolicy", policy, "protocol", new BucketProtocol("s3", null, s3, null)));
        if (createdForRequest) {
            bucket.setSpec(
                    Specs.with(bucket.getSpec(), "bucketRequest", new BucketRequestRef("team", "photos", "uid-1")));
        }
        return bucket;
    }
}
