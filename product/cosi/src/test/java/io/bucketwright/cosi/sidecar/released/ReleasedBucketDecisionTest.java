package io.bucketwright.cosi.sidecar.released;

import static io.bucketwright.cosi.sidecar.released.ReleasedObjects.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketStatus;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.controller.Step;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReleasedBucketDecisionTest {

    private Optional<BucketClaim> claim = Optional.of(ReleasedObjects.claim(false));
    private List<ReleasedBucketAccess> accesses = List.of();
    private ReleasedBucketState inFlight = ReleasedBucketState.NONE;
    private Optional<FailedAttempt> failure = Optional.empty();

    private Object decide(ReleasedBucket bucket) {
        return ReleasedObjects.outcome(ReleasedBucketDecision.decide(new ReleasedBucketObservation(
                Optional.of(bucket),
                Optional.empty(),
                claim,
                accesses,
                ReleasedObjects.ready(),
                inFlight,
                failure,
                NOW)));
    }

    @Test
    void theFirstAttemptIsRecordedBeforeTheCall() {
        ReleasedBucket bucket = ReleasedObjects.bucket();
        assertThat(decide(bucket)).isEqualTo(new ReleasedBucketStep.Protect(bucket, true));
        ReleasedBucket recorded = ReleasedObjects.bucket(ReleasedNames.BUCKET_FINALIZER);
        assertThat(decide(recorded)).isInstanceOf(ReleasedBucketStep.Create.class);
    }

    @Test
    void anExistingBucketNeedsNoCall() {
        ReleasedBucket bucket = ReleasedObjects.bucket();
        bucket.setSpec(ReleasedObjects.spec("Delete", "archive"));
        assertThat(decide(bucket)).isEqualTo(new ReleasedBucketStep.Protect(bucket, false));
        bucket.getMetadata().setFinalizers(List.of(ReleasedNames.BUCKET_FINALIZER));
        assertThat(decide(bucket)).isEqualTo(new ReleasedBucketStep.WriteStatus(bucket, "archive", true));
    }

    @Test
    void theClaimIsMarkedReadyOnlyAfterTheControllerHasWrittenIt() {
        ReleasedBucket bucket = ReleasedObjects.readyBucket();
        assertThat(decide(bucket)).isInstanceOf(ReleasedBucketStep.MarkClaimReady.class);
        BucketClaim unbound = ReleasedObjects.claim(false);
        unbound.setStatus(null);
        claim = Optional.of(unbound);
        assertThat(decide(bucket)).isEqualTo("Done");
        claim = Optional.of(ReleasedObjects.claim(true));
        assertThat(decide(bucket)).isEqualTo("Done");
    }

    @Test
    void aBucketWhoseClaimWasRemovedByForceIsReportedAndStays() {
        claim = Optional.empty();
        ReleasedBucket bucket = ReleasedObjects.readyBucket();
        bucket.getMetadata().setCreationTimestamp(NOW.minusSeconds(5).toString());
        assertThat(decide(bucket)).as("the cache of claims may be older").isEqualTo("RequeueAfter");
        bucket.getMetadata().setCreationTimestamp(NOW.minusSeconds(60).toString());
        assertThat(decide(bucket)).isInstanceOfSatisfying(Step.Report.class, report -> {
            assertThat(report.problem().message())
                    .contains("BucketClaim apps/photos with uid claim-uid no longer exists");
            assertThat(report.problem().reason()).isEqualTo(ReleasedReason.CLAIM_LOST);
            assertThat(report.result()).isEqualTo(Result.done());
        });
        inFlight = ReleasedBucketState.NONE;
        bucket.setSpec(ReleasedObjects.spec("Retain", ""));
        assertThat(decide(bucket)).as("a retained Bucket has no claim").isEqualTo("Done");
    }

    @Test
    void aBucketOfALiveClaimIsNotDeleted() {
        assertThat(decide(ReleasedObjects.deleted(ReleasedObjects.readyBucket())))
                .isInstanceOf(ReleasedBucketStep.Report.class);
    }

    @Test
    void accessesAreDeletedAndWaitedForBeforeTheBucket() {
        claim = Optional.of(ReleasedObjects.deleted(ReleasedObjects.claim(true)));
        ReleasedBucket bucket = ReleasedObjects.deleted(ReleasedObjects.readyBucket());
        ReleasedBucketAccess access = ReleasedObjects.access(ReleasedNames.ACCESS_FINALIZER);
        accesses = List.of(access);
        assertThat(decide(bucket)).isEqualTo(new ReleasedBucketStep.DeleteAccess(access));
        accesses = List.of(ReleasedObjects.deleted(access));
        assertThat(decide(bucket)).isEqualTo("Done");
        accesses = List.of();
        assertThat(decide(bucket)).isEqualTo(new ReleasedBucketStep.WriteStatus(bucket, "eu/1", false));
        bucket.setStatus(new ReleasedBucketStatus(false, "eu/1"));
        inFlight = inFlight.withDeletion(true, false);
        assertThat(decide(bucket)).isInstanceOf(ReleasedBucketStep.Delete.class);
        inFlight = inFlight.afterDelete();
        assertThat(decide(bucket)).isEqualTo(new ReleasedBucketStep.RemoveClaimFinalizer(claim.get()));
        claim = Optional.empty();
        assertThat(decide(bucket)).isEqualTo(new ReleasedBucketStep.RemoveFinalizers(bucket, false));
    }

    @Test
    void aRetainedBucketIsReleasedWithoutACall() {
        claim = Optional.empty();
        ReleasedBucket bucket = ReleasedObjects.deleted(ReleasedObjects.readyBucket());
        // Only the exact text deletes.
        bucket.setSpec(ReleasedObjects.spec("delete", ""));
        assertThat(decide(bucket)).isEqualTo(new ReleasedBucketStep.RemoveFinalizers(bucket, true));
        // An existing bucket needs a second word of its administrator.
        bucket.setSpec(ReleasedObjects.spec("Delete", "archive"));
        assertThat(decide(bucket)).isEqualTo(new ReleasedBucketStep.RemoveFinalizers(bucket, true));
    }

    @Test
    void aBucketWithoutAnIdIsAskedForItsIdBeforeItIsDeleted() {
        claim = Optional.empty();
        ReleasedBucket bucket = ReleasedObjects.deleted(ReleasedObjects.bucket(ReleasedNames.BUCKET_FINALIZER));
        assertThat(decide(bucket)).isInstanceOf(ReleasedBucketStep.Create.class);
        inFlight = ReleasedBucketState.NONE.withId("eu/2");
        assertThat(decide(bucket))
                .isEqualTo(new ReleasedBucketStep.Delete(
                        bucket, "eu/2", ReleasedObjects.ready().inputs(bucket)));
        // The driver rejects it: the name may be its id.
        inFlight = ReleasedBucketState.NONE.withUnknownId();
        assertThat(decide(bucket))
                .isEqualTo(new ReleasedBucketStep.Delete(
                        bucket, "bucket-claim-uid", ReleasedObjects.ready().inputs(bucket)));
        failure = Optional.of(ReleasedObjects.failed(
                DriverMethod.DELETE_BUCKET, bucket, ProvisionerReason.DRIVER_UNAVAILABLE, "restarting", 30));
        assertThat(decide(bucket)).isInstanceOf(ReleasedBucketStep.Delete.class);
        failure = Optional.of(ReleasedObjects.failed(
                DriverMethod.DELETE_BUCKET, bucket, ProvisionerReason.INTERNAL_ERROR, "INTERNAL", 3));
        assertThat(decide(bucket)).isInstanceOf(ReleasedBucketStep.SkipDelete.class);
    }

    @Test
    void aBucketOfSomebodyElseIsNotDeleted() {
        claim = Optional.empty();
        ReleasedBucket bucket = ReleasedObjects.deleted(ReleasedObjects.bucket(ReleasedNames.BUCKET_FINALIZER));
        bucket.getMetadata().setAnnotations(Map.of(ReleasedNames.CREATE_ATTEMPT, ReleasedNames.ATTEMPT_NAME_IN_USE));
        assertThat(decide(bucket)).isEqualTo(new ReleasedBucketStep.RemoveFinalizers(bucket, false));
    }

    @Test
    void errorsEndADeletionOnlyIfAnEarlierProcessMayHaveDeletedTheBucket() {
        claim = Optional.empty();
        ReleasedBucket bucket = ReleasedObjects.deleted(ReleasedObjects.readyBucket());
        bucket.setStatus(new ReleasedBucketStatus(false, "eu/1"));
        failure = Optional.of(ReleasedObjects.failed(
                DriverMethod.DELETE_BUCKET, bucket, ProvisionerReason.INTERNAL_ERROR, "INTERNAL", 3));
        assertThat(decide(bucket)).isInstanceOf(ReleasedBucketStep.SkipDelete.class);
        // This process has recorded the deletion: its own call failed, and that is recorded too.
        inFlight = ReleasedBucketState.NONE.withDeletion(false, true);
        assertThat(decide(bucket)).isEqualTo(new ReleasedBucketStep.WriteStatus(bucket, "eu/1", true));
        inFlight = ReleasedBucketState.NONE.withDeletion(true, false);
        assertThat(decide(bucket)).isInstanceOf(ReleasedBucketStep.Delete.class);
        inFlight = ReleasedBucketState.NONE;
        failure = Optional.of(ReleasedObjects.failed(
                DriverMethod.DELETE_BUCKET, bucket, ProvisionerReason.INVALID_CREDENTIALS, "denied", 30));
        assertThat(decide(bucket)).isInstanceOf(ReleasedBucketStep.Delete.class);
        // The bucket has objects, so it exists.
        failure = Optional.of(ReleasedObjects.failed(
                DriverMethod.DELETE_BUCKET, bucket, ProvisionerReason.FAILED_PRECONDITION, "not empty", 30));
        assertThat(decide(bucket)).isInstanceOf(ReleasedBucketStep.Delete.class);
    }
}
