package io.bucketwright.cosi.sidecar.released;

import static io.bucketwright.cosi.sidecar.released.ReleasedObjects.DRIVER;
import static io.bucketwright.cosi.sidecar.released.ReleasedObjects.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedAccessSpec;
import io.bucketwright.api.objectstorage.ReleasedAccessStatus;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedBucketSpec;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.sidecar.driver.AccountCredentials;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.runtime.ObjectSize;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Step;
import io.bucketwright.store.connection.SecretValue;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReleasedAccessDecisionTest {

    private static final GrantedAccess GRANTED = new GrantedAccess(
            "key/7", new AccountCredentials.S3Key("https://s3", "eu", "id", SecretValue.of("secret")));

    private Optional<ReleasedBucketAccessClass> accessClass = Optional.of(ReleasedObjects.accessClass(DRIVER));
    private Optional<BucketClaim> claim = Optional.of(ReleasedObjects.claim(true));
    private Optional<ReleasedBucket> bucket = Optional.of(ReleasedObjects.readyBucket());
    private ReleasedAccessState inFlight = ReleasedAccessState.NONE;
    private Optional<FailedAttempt> failure = Optional.empty();
    private Instant now = NOW;

    private Object decide(ReleasedBucketAccess access) {
        return ReleasedObjects.outcome(ReleasedAccessDecision.decide(new ReleasedAccessObservation(
                DRIVER,
                Optional.of(access),
                accessClass,
                claim,
                bucket,
                ReleasedObjects.ready(),
                inFlight,
                failure,
                now)));
    }

    @Test
    void theIdIsWrittenBeforeTheSecretAndTheSecretBeforeTheStatus() {
        ReleasedBucketAccess created = ReleasedObjects.access();
        assertThat(decide(created)).isEqualTo(new ReleasedAccessStep.AddFinalizer(created));
        ReleasedBucketAccess recorded = ReleasedObjects.access(ReleasedNames.ACCESS_FINALIZER);
        inFlight = inFlight.afterRecord();
        assertThat(decide(recorded)).isInstanceOf(ReleasedAccessStep.Grant.class);
        inFlight = inFlight.withGrant(GRANTED);
        assertThat(decide(recorded)).isEqualTo(new ReleasedAccessStep.WriteStatus(recorded, "key/7", false, false));
        ReleasedBucketAccess identified = ReleasedObjects.access(new ReleasedAccessStatus("key/7", false));
        assertThat(decide(identified)).isInstanceOf(ReleasedAccessStep.WriteSecret.class);
        inFlight = inFlight.withSecret(owned());
        assertThat(decide(identified)).isEqualTo(new ReleasedAccessStep.WriteStatus(identified, "key/7", true, true));
        inFlight = ReleasedAccessState.NONE;
        assertThat(decide(ReleasedObjects.access(new ReleasedAccessStatus("key/7", true))))
                .isEqualTo("Done");
    }

    @Test
    void anAccessThatIsTooLargeIsReportedAndCanBeDeleted() {
        ReleasedBucketAccess access = ReleasedObjects.access(new ReleasedAccessStatus("key/7", true));
        ObjectSize.markTooLarge(access.getMetadata());
        assertThat(decide(access))
                .isInstanceOfSatisfying(
                        Step.Report.class,
                        report -> assertThat(report.problem().reason()).isEqualTo(Problem.TOO_LARGE));
        access.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        assertThat(decide(access)).isNotInstanceOf(Step.Report.class);
    }

    @Test
    void anAccountWhoseCredentialsAreLostIsRevokedBeforeTheNextGrant() {
        ReleasedBucketAccess identified = ReleasedObjects.access(new ReleasedAccessStatus("key/7", false));
        assertThat(decide(identified)).isEqualTo(new ReleasedAccessStep.ReadSecret(identified));
        inFlight = inFlight.withSecret(new UserSecret.Missing());
        assertThat(decide(identified)).isInstanceOfSatisfying(ReleasedAccessStep.Revoke.class, revoke -> {
            assertThat(revoke.accountId()).isEqualTo("key/7");
            assertThat(revoke.which()).isEqualTo(ReleasedAccessStep.RevokedAccount.FORMER);
        });
        inFlight = inFlight.withFormerRevoked();
        assertThat(decide(identified)).isInstanceOf(ReleasedAccessStep.Grant.class);
    }

    @Test
    void anAttemptOfAnEarlierProcessIsRevokedByTheName() {
        ReleasedBucketAccess recorded = ReleasedObjects.access(ReleasedNames.ACCESS_FINALIZER);
        inFlight = inFlight.withSecret(new UserSecret.Missing());
        assertThat(decide(recorded))
                .isInstanceOfSatisfying(
                        ReleasedAccessStep.Revoke.class,
                        revoke -> assertThat(revoke.accountId()).isEqualTo("ba-access-uid"));
        // Somebody repairs the credentials of the driver, and then the account is revoked.
        failure = Optional.of(ReleasedObjects.failed(
                DriverMethod.REVOKE_ACCESS, recorded, ProvisionerReason.INVALID_CREDENTIALS, "PERMISSION_DENIED", 30));
        assertThat(decide(recorded)).isInstanceOf(ReleasedAccessStep.Revoke.class);
        // Many drivers answer with an error for an account that does not exist.
        failure = Optional.of(ReleasedObjects.failed(
                DriverMethod.REVOKE_ACCESS, recorded, ProvisionerReason.INTERNAL_ERROR, "INTERNAL", 3));
        assertThat(decide(recorded)).isInstanceOf(ReleasedAccessStep.SkipRevoke.class);
    }

    @Test
    void aSecretThatAnotherSidecarWroteIsKept() {
        ReleasedBucketAccess recorded = ReleasedObjects.access(ReleasedNames.ACCESS_FINALIZER);
        inFlight = inFlight.withSecret(owned());
        assertThat(decide(recorded))
                .isEqualTo(new ReleasedAccessStep.WriteStatus(recorded, "ba-access-uid", true, true));
    }

    @Test
    void aBucketThatIsNotBoundToTheClaimIsNotGranted() {
        BucketClaim other = ReleasedObjects.claim(true);
        other.getMetadata().setUid("another");
        claim = Optional.of(other);
        assertThat(decide(ReleasedObjects.access()))
                .isInstanceOfSatisfying(
                        Step.Report.class,
                        report ->
                                assertThat(report.problem().message()).contains("is not bound to BucketClaim photos"));
    }

    @Test
    void classAndBucketMustBeOfThisDriver() {
        accessClass = Optional.of(ReleasedObjects.accessClass("other.example.com"));
        assertThat(decide(ReleasedObjects.access())).isEqualTo("Done");
        accessClass = Optional.of(ReleasedObjects.accessClass("Driver.Example.COM"));
        assertThat(decide(ReleasedObjects.access())).isInstanceOf(ReleasedAccessStep.AddFinalizer.class);
        ReleasedBucket theirs = ReleasedObjects.readyBucket();
        theirs.setSpec(new ReleasedBucketSpec(
                "other.example.com", "gold", theirs.spec().bucketClaim(), List.of(), Map.of(), "Delete", ""));
        bucket = Optional.of(theirs);
        assertThat(decide(ReleasedObjects.access())).isInstanceOf(Step.Report.class);
    }

    @Test
    void aWaitIsReportedOnlyIfItTakesLong() {
        claim = Optional.empty();
        bucket = Optional.empty();
        assertThat(decide(ReleasedObjects.access())).isEqualTo("RequeueAfter");
        now = NOW.plusSeconds(60);
        assertThat(decide(ReleasedObjects.access()))
                .isInstanceOfSatisfying(
                        Step.Report.class,
                        report -> assertThat(report.problem().reason()).isEqualTo("WaitingForBucket"));
    }

    @Test
    void iamNeedsAServiceAccountAndEveryAccessASecretName() {
        accessClass.get().setAuthenticationType("IAM");
        assertThat(decide(ReleasedObjects.access())).isInstanceOf(Step.Report.class);
        ReleasedBucketAccess named = ReleasedObjects.access();
        named.setSpec(new ReleasedAccessSpec("photos", "", "readers", "credentials", "robot"));
        assertThat(decide(named)).isInstanceOf(ReleasedAccessStep.AddFinalizer.class);
        named.setSpec(new ReleasedAccessSpec("photos", "", "readers", "", "robot"));
        assertThat(decide(named)).isInstanceOf(Step.Report.class);
    }

    @Test
    void aDeletedAccessIsRevokedBeforeItsSecretAndItsFinalizerAreRemoved() {
        ReleasedBucketAccess access =
                ReleasedObjects.deleted(ReleasedObjects.access(new ReleasedAccessStatus("key/7", true)));
        assertThat(decide(access)).isEqualTo(new ReleasedAccessStep.WriteStatus(access, "key/7", false, false));
        access.setStatus(new ReleasedAccessStatus("key/7", false));
        inFlight = inFlight.withRevocation(true, false);
        assertThat(decide(access)).isInstanceOf(ReleasedAccessStep.Revoke.class);
        inFlight = inFlight.afterRevoke();
        assertThat(decide(access)).isEqualTo(new ReleasedAccessStep.ReadSecret(access));
        inFlight = inFlight.withSecret(owned());
        assertThat(decide(access)).isInstanceOf(ReleasedAccessStep.RemoveSecret.class);
        inFlight = inFlight.withSecret(new UserSecret.Foreign());
        assertThat(decide(access)).isEqualTo(new ReleasedAccessStep.RemoveFinalizer(access));
    }

    @Test
    void aDeletedAccessWithoutBucketWaitsForARestoreAndThenEnds() {
        claim = Optional.empty();
        bucket = Optional.empty();
        ReleasedBucketAccess access =
                ReleasedObjects.deleted(ReleasedObjects.access(new ReleasedAccessStatus("key/7", true)));
        assertThat(decide(access)).isInstanceOf(Step.Report.class);
        now = NOW.plusSeconds(600);
        assertThat(decide(access)).isInstanceOf(ReleasedAccessStep.SkipRevoke.class);
        // Neither Bucket nor class: only what was recorded tells whose it is.
        accessClass = Optional.empty();
        assertThat(decide(access)).isEqualTo("Done");
        access.getMetadata().setAnnotations(Map.of(ReleasedNames.DRIVER, DRIVER));
        assertThat(decide(access)).isInstanceOf(ReleasedAccessStep.SkipRevoke.class);
    }

    private static UserSecret owned() {
        return new UserSecret.Owned(
                new SecretBuilder().withNewMetadata().endMetadata().build());
    }
}
