package io.bucketwright.cosi.sidecar.released;

import static io.bucketwright.cosi.sidecar.released.ReleasedObjects.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketStatus;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.cosi.core.BucketAttempt;
import io.bucketwright.cosi.core.BucketState;
import io.bucketwright.cosi.core.BucketStep;
import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.controller.Step;
import io.bucketwright.store.grants.Grant;
import io.bucketwright.store.grants.GrantLedger;
import io.bucketwright.store.grants.GrantLedgerCodec;
import io.bucketwright.store.grants.Grantee;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReleasedBucketDecisionTest {

    private Optional<BucketClaim> claim = Optional.of(ReleasedObjects.claim(false));
    private List<ReleasedBucketAccess> accesses = List.of();
    private BucketState state = BucketState.UNKNOWN;

    private Object decide(ReleasedBucket bucket) {
        Object outcome = ReleasedObjects.outcome(ReleasedBucketDecision.decide(new ReleasedBucketObservation(
                new ReleasedBucketRecord(bucket, claim),
                accesses,
                ReleasedObjects.ready(),
                state,
                Optional.empty(),
                new Moment(0),
                NOW)));
        return outcome instanceof ReleasedBucketStep.InStore(ReleasedBucketRecord _, BucketStep step) ? step : outcome;
    }

    @Test
    void theUidIsRecordedBeforeTheCallAndTheIdBeforeTheStatus() {
        assertThat(decide(ReleasedObjects.bucket())).isEqualTo(new BucketStep.WriteRecord(""));
        ReleasedBucket recorded = ReleasedObjects.recorded("");
        assertThat(decide(recorded)).isInstanceOf(BucketStep.Create.class);
        state = new BucketState(new BucketAttempt.Mine("eu/1"), BucketState.Deletion.UNKNOWN, Optional.empty());
        assertThat(decide(recorded)).isEqualTo(new BucketStep.WriteRecord("eu/1"));
        assertThat(decide(ReleasedObjects.recorded("eu/1"))).isEqualTo(new BucketStep.Publish("eu/1", true));
    }

    @Test
    void aBucketThatTheReferenceHasProvisionedIsRecorded() {
        ReleasedBucket bucket = ReleasedObjects.readyBucket();
        bucket.getMetadata().setAnnotations(Map.of());
        assertThat(decide(bucket)).isEqualTo(new BucketStep.WriteRecord("eu/1"));
    }

    @Test
    void anExistingBucketNeedsNoCall() {
        ReleasedBucket bucket = ReleasedObjects.bucket();
        bucket.setSpec(ReleasedObjects.spec("Delete", "archive"));
        assertThat(decide(bucket)).isEqualTo(new BucketStep.WriteRecord("archive"));
        bucket = ReleasedObjects.recorded("");
        bucket.setSpec(ReleasedObjects.spec("Delete", "archive"));
        assertThat(decide(bucket)).isEqualTo(new BucketStep.Publish("archive", true));
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
                    .contains("BucketClaim apps/photos with uid claim-uid does not exist");
            assertThat(report.problem().reason()).isEqualTo(ReleasedReason.CLAIM_LOST);
            assertThat(report.result()).isEqualTo(Result.done());
        });
        Grant grant = Grant.issuing(
                "1", new Grantee("apps", "viewer", "access-uid"), new Grant.Account("ba-1", "", Map.of()), NOW);
        bucket.getMetadata()
                .getAnnotations()
                .put(ReleasedNames.GRANTS, GrantLedgerCodec.encode(GrantLedger.EMPTY.with(grant)));
        assertThat(decide(bucket).toString())
                .as("what another claim waits for")
                .contains("when the access of the former one is revoked, that of apps/viewer");
        bucket.setSpec(ReleasedObjects.spec("Retain", ""));
        assertThat(decide(bucket)).as("a retained Bucket has no claim").isEqualTo("Done");
    }

    @Test
    void nothingIsCreatedForAClaimThatDoesNotExist() {
        claim = Optional.empty();
        assertThat(decide(ReleasedObjects.recorded("")))
                .isInstanceOfSatisfying(
                        Step.Report.class,
                        report -> assertThat(report.problem().message()).contains("no bucket is created"));
    }

    @Test
    void aBucketOfALiveClaimIsNotDeleted() {
        assertThat(decide(ReleasedObjects.deleted(ReleasedObjects.readyBucket())))
                .isInstanceOf(BucketStep.Report.class);
    }

    @Test
    void accessesAreDeletedAndWaitedForBeforeTheBucket() {
        claim = Optional.of(ReleasedObjects.deleted(ReleasedObjects.claim(true)));
        ReleasedBucket bucket = ReleasedObjects.deleted(ReleasedObjects.readyBucket());
        ReleasedBucketAccess access = ReleasedObjects.access(ReleasedNames.ACCESS_FINALIZER);
        accesses = List.of(access);
        assertThat(decide(bucket)).isEqualTo(new ReleasedBucketStep.DeleteAccess(access));
        accesses = List.of(ReleasedObjects.deleted(access));
        assertThat(decide(bucket)).isEqualTo("RequeueAfter");
        accesses = List.of();
        assertThat(decide(bucket)).isEqualTo(new BucketStep.Publish("eu/1", false));
        bucket.setStatus(new ReleasedBucketStatus(false, "eu/1"));
        assertThat(decide(bucket)).isInstanceOf(BucketStep.Delete.class);
        state = new BucketState(new BucketAttempt.None(), BucketState.Deletion.DONE, Optional.empty());
        assertThat(decide(bucket)).isEqualTo(new ReleasedBucketStep.RemoveClaimFinalizer(claim.get()));
        claim = Optional.empty();
        assertThat(decide(bucket)).isEqualTo(new BucketStep.Release(BucketStep.Left.NOTHING));
    }

    /** Who has access is what the ledger says, and nobody revokes what he does not know. */
    @ParameterizedTest
    @ValueSource(strings = {"Delete", "Retain"})
    void aBucketWhoseLedgerIsNotEmptyStays(String policy) {
        claim = Optional.empty();
        ReleasedBucket bucket = ReleasedObjects.deleted(ReleasedObjects.readyBucket());
        bucket.setSpec(ReleasedObjects.spec(policy, ""));
        bucket.getMetadata().getAnnotations().put(ReleasedNames.GRANTS, "unreadable");
        assertThat(decide(bucket)).isEqualTo("RequeueAfter");
        bucket.getMetadata().setDeletionTimestamp(NOW.minusSeconds(60).toString());
        assertThat(decide(bucket)).isInstanceOf(BucketStep.Report.class);
    }

    /** Without the claim nobody knows that they are of this bucket: another claim of the name may follow. */
    @Test
    void theAccessesOfAClaimThatDoesNotExistAreNotDeletedButWaitedFor() {
        claim = Optional.empty();
        accesses = List.of(ReleasedObjects.access(ReleasedNames.ACCESS_FINALIZER));
        assertThat(decide(ReleasedObjects.deleted(ReleasedObjects.readyBucket())))
                .isInstanceOfSatisfying(
                        BucketStep.Report.class,
                        report -> assertThat(report.problem().message()).contains("apps/viewer"));
    }

    @Test
    void aRetainedBucketIsReleasedWithoutACall() {
        claim = Optional.empty();
        ReleasedBucket bucket = ReleasedObjects.deleted(ReleasedObjects.readyBucket());
        // Only the exact text deletes.
        bucket.setSpec(ReleasedObjects.spec("delete", ""));
        assertThat(decide(bucket)).isEqualTo(new BucketStep.Release(BucketStep.Left.RETAINED));
        // An existing bucket needs a second word of its administrator.
        bucket.setSpec(ReleasedObjects.spec("Delete", "archive"));
        assertThat(decide(bucket)).isEqualTo(new BucketStep.Release(BucketStep.Left.RETAINED));
    }

    @Test
    void aBucketWithoutAnIdIsAskedForItsIdBeforeItIsDeleted() {
        claim = Optional.empty();
        ReleasedBucket bucket = ReleasedObjects.deleted(ReleasedObjects.recorded(""));
        String inputs = ReleasedObjects.ready().inputs(bucket);
        assertThat(decide(bucket)).isEqualTo(new BucketStep.Create(inputs));
        state = new BucketState(new BucketAttempt.Mine("eu/2"), BucketState.Deletion.UNKNOWN, Optional.empty());
        assertThat(decide(bucket)).isEqualTo(new BucketStep.Delete("eu/2", inputs));
        // The driver rejects it: the name may be its id.
        state = new BucketState(new BucketAttempt.Perhaps(true), BucketState.Deletion.UNKNOWN, Optional.empty());
        assertThat(decide(bucket)).isEqualTo(new BucketStep.Delete("bucket-claim-uid", inputs));
        state = new BucketState(new BucketAttempt.None(), BucketState.Deletion.UNKNOWN, Optional.empty());
        assertThat(decide(bucket)).isEqualTo(new BucketStep.Release(BucketStep.Left.NOTHING));
    }
}
