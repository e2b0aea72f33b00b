package io.bucketwright.cosi.sidecar.released;

import static io.bucketwright.cosi.sidecar.released.ReleasedObjects.DRIVER;
import static io.bucketwright.cosi.sidecar.released.ReleasedObjects.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.api.objectstorage.ReleasedAccessSpec;
import io.bucketwright.api.objectstorage.ReleasedAccessStatus;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.cosi.sidecar.driver.AccountCredentials;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.cosi.sidecar.released.RecordedAccount.State;
import io.bucketwright.cosi.sidecar.released.ReleasedAccessStep.EndRotation;
import io.bucketwright.cosi.sidecar.released.ReleasedAccessStep.RecordAccounts;
import io.bucketwright.cosi.sidecar.released.ReleasedAccessStep.RecordName;
import io.bucketwright.cosi.sidecar.released.ReleasedAccessStep.RevokedAccount;
import io.bucketwright.runtime.ObjectSize;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.controller.Step;
import io.bucketwright.runtime.metrics.CredentialAge;
import io.bucketwright.store.connection.SecretValue;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReleasedRotationDecisionTest {

    private static final String AT = "2026-11-17T11:00:00Z";
    private static final AccountRecord STARTED = AccountRecord.NONE.started(AT, "key/7");

    private final ReleasedBucketAccess access = ReleasedObjects.access(new ReleasedAccessStatus("key/7", true));
    private final ReleasedBucketAccessClass accessClass = ReleasedObjects.accessClass(DRIVER);
    private final ReleasedBucket bucket = ReleasedObjects.readyBucket();
    private ReleasedAccessState inFlight = ReleasedAccessState.NONE;
    private Optional<FailedAttempt> failure = Optional.empty();
    private Instant now = NOW;

    @BeforeEach
    void request() {
        access.getMetadata().setAnnotations(Map.of(CosiNames.ROTATE_AT, AT));
    }

    private Object decide() {
        return ReleasedObjects.outcome(ReleasedAccessDecision.decide(observed()));
    }

    private ReleasedAccessObservation observed() {
        return new ReleasedAccessObservation(
                DRIVER,
                Optional.of(access),
                Optional.of(accessClass),
                Optional.of(ReleasedObjects.claim(true)),
                Optional.of(bucket),
                ReleasedObjects.ready(),
                inFlight,
                failure,
                now);
    }

    @Test
    void nothingHappensWithoutARequestAndBeforeItsTime() {
        access.getMetadata().setAnnotations(Map.of());
        assertThat(decide()).isEqualTo("Done");
        access.getMetadata().setAnnotations(Map.of(CosiNames.ROTATE_AT, "2026-11-17T13:00:00Z"));
        assertThat(decide()).isEqualTo("RequeueAfter");
        access.getMetadata().setAnnotations(Map.of(CosiNames.ROTATE_AT, AT));
        record(AccountRecord.NONE.refused(AT));
        assertThat(decide()).isEqualTo("Done");
    }

    @Test
    void aTimeOrAnOverlapThatCannotBeReadIsReported() {
        accessClass.getMetadata().setAnnotations(Map.of(ReleasedNames.ROTATION_OVERLAP, "soon"));
        assertReport("The annotation bucketwright.io/rotation-overlap of the BucketAccessClass must be a duration");
        access.getMetadata().setAnnotations(Map.of(CosiNames.ROTATE_AT, "tomorrow"));
        assertReport("must be a time");
    }

    private void assertReport(String part) {
        assertThat(decide()).isInstanceOfSatisfying(Step.Report.class, report -> {
            assertThat(report.problem().reason()).isEqualTo("FailedRotateAccess");
            assertThat(report.problem().message()).contains(part);
        });
    }

    @Test
    void theNameIsRecordedBeforeTheGrantAndTheIdBeforeTheSecret() {
        accessClass.getMetadata().setAnnotations(Map.of(ReleasedNames.ROTATION_OVERLAP, "30m"));
        assertThat(decide()).isEqualTo(new ReleasedAccessStep.ReadSecret(access));
        inFlight = inFlight.withSecret(secret("old", ""));
        assertThat(decide()).isEqualTo(new RecordName(access, bucket, STARTED, ""));
        record(STARTED);
        inFlight = inFlight.afterNextName();
        assertGrant("ba-access-uid-1");
        inFlight = inFlight.beforeGrant(true).withRotationGrant(granted("key/8", "new"));
        assertThat(decide()).isEqualTo(new ReleasedAccessStep.WriteStatus(access, "key/8", true, false));
        access.setStatus(new ReleasedAccessStatus("key/8", true));
        assertThat(decide())
                .isInstanceOfSatisfying(
                        ReleasedAccessStep.WriteSecret.class,
                        write -> assertThat(write.rotation()).isEqualTo(AT));
        inFlight = inFlight.withSecret(secret("new", AT));
        String until = NOW.plusSeconds(1800).toString();
        assertThat(decide())
                .isEqualTo(new EndRotation(
                        access,
                        bucket,
                        STARTED.published(until).renewedAt(NOW),
                        ReleasedReason.ACCESS_ROTATED,
                        "Secret credentials contains new credentials. The previous ones are valid until " + until
                                + "."));
    }

    private void assertGrant(String name) {
        assertThat(decide()).isInstanceOfSatisfying(ReleasedAccessStep.Grant.class, grant -> {
            assertThat(grant.account()).isEqualTo(name);
            assertThat(grant.rotation()).isTrue();
        });
    }

    @Test
    void anotherSecretOfThatNameIsNeverReplaced() {
        inFlight = inFlight.withSecret(new UserSecret.Foreign());
        assertThat(decide()).isEqualTo(new ReleasedAccessStep.ReadSecret(access));
        record(STARTED);
        inFlight = inFlight.withRotationGrant(granted("key/8", "new"));
        assertThat(decide()).isEqualTo(new ReleasedAccessStep.ReadSecret(access));
    }

    @Test
    void thePreviousAccountIsRevokedAfterTheOverlap() {
        AccountRecord published = STARTED.published(NOW.plusSeconds(60).toString());
        access.setStatus(new ReleasedAccessStatus("key/8", true));
        record(published);
        assertThat(decide()).isEqualTo("RequeueAfter");
        now = NOW.plusSeconds(61);
        AccountRecord revoking = published.revoking("key/7");
        assertThat(decide()).isEqualTo(new RecordAccounts(access, bucket, revoking, Set.of("key/7")));
        record(revoking);
        inFlight = inFlight.withRevoking(Set.of("key/7"));
        assertRevoke("key/7", RevokedAccount.OTHER);
        failure = Optional.of(failed(DriverMethod.REVOKE_ACCESS, ProvisionerReason.INTERNAL_ERROR, 9));
        assertRevoke("key/7", RevokedAccount.OTHER);
        inFlight = inFlight.withOtherRevoked("key/7");
        assertThat(decide()).isEqualTo(new RecordAccounts(access, bucket, published.without("key/7"), Set.of()));
        record(published.without("key/7"));
        assertThat(decide()).isEqualTo("Done");
    }

    @Test
    void anAccountThatAnEarlierProcessMayHaveRevokedIsGivenUpAfterAFewErrors() {
        access.setStatus(new ReleasedAccessStatus("key/8", true));
        record(STARTED.published(NOW.minusSeconds(60).toString()).revoking("key/7"));
        assertRevoke("key/7", RevokedAccount.OTHER);
        failure = Optional.of(failed(DriverMethod.REVOKE_ACCESS, ProvisionerReason.INTERNAL_ERROR, 3));
        assertThat(decide()).isInstanceOf(ReleasedAccessStep.SkipRevoke.class);
    }

    @Test
    void anAccountThatTheSecretUsesIsNotRevoked() {
        AccountRecord published = STARTED.published(NOW.minusSeconds(5).toString());
        record(published);
        assertThat(decide()).isEqualTo("RequeueAfter");
        now = NOW.plusSeconds(60);
        assertThat(decide()).isEqualTo(new RecordAccounts(access, bucket, published.without("key/7"), Set.of()));
    }

    private void assertRevoke(String id, RevokedAccount which) {
        assertThat(decide()).isInstanceOfSatisfying(ReleasedAccessStep.Revoke.class, revoke -> {
            assertThat(revoke.accountId()).isEqualTo(id);
            assertThat(revoke.which()).isEqualTo(which);
        });
    }

    @Test
    void afterACrashBeforeTheIdIsKnownTheSameNameIsRevokedAndGranted() {
        record(STARTED);
        assertThat(decide()).isEqualTo(new ReleasedAccessStep.ReadSecret(access));
        inFlight = inFlight.withSecret(secret("old", ""));
        assertRevoke("ba-access-uid-1", RevokedAccount.FORMER);
        inFlight = inFlight.withFormerRevoked();
        assertGrant("ba-access-uid-1");
    }

    @Test
    void afterACrashBeforeTheSecretIsWrittenTheNewAccountIsRevokedByItsId() {
        record(STARTED);
        access.setStatus(new ReleasedAccessStatus("key/8", true));
        inFlight = inFlight.withSecret(secret("old", ""));
        assertRevoke("key/8", RevokedAccount.FORMER);
        inFlight = inFlight.withFormerRevoked();
        assertGrant("ba-access-uid-1");
        inFlight = inFlight.withRotationGrant(granted("key/9", "new"));
        AccountRecord recorded = STARTED.with("key/8", State.LOST);
        assertThat(decide()).isEqualTo(new RecordAccounts(access, bucket, recorded, Set.of()));
        record(recorded);
        assertThat(decide()).isEqualTo(new ReleasedAccessStep.WriteStatus(access, "key/9", true, false));
    }

    @Test
    void afterACrashBehindTheSecretTheRotationEnds() {
        record(STARTED);
        inFlight = inFlight.withSecret(secret("new", AT));
        AccountRecord published =
                STARTED.published(NOW.plusSeconds(86400).toString()).renewedAt(NOW);
        // The status may be older than the Secret.
        assertEnd(ReleasedReason.ACCESS_ROTATED, published);
        access.setStatus(new ReleasedAccessStatus("key/8", true));
        assertEnd(ReleasedReason.ACCESS_ROTATED, published);
    }

    private void assertEnd(String event, AccountRecord accounts) {
        assertThat(decide()).isInstanceOfSatisfying(EndRotation.class, end -> {
            assertThat(end.event()).isEqualTo(event);
            assertThat(end.accounts()).isEqualTo(accounts);
        });
    }

    @Test
    void aDriverThatReturnsThePublishedCredentialsCannotRotate() {
        record(STARTED);
        inFlight = inFlight.withSecret(secret("old", "")).withRotationGrant(granted("key/7", "old"));
        assertEnd(ReleasedReason.ROTATION_NOT_SUPPORTED, STARTED.ended());
        // The Secret may use either account, so none is revoked before the access is deleted.
        inFlight = inFlight.withRotationGrant(granted("key/8", "old"));
        assertEnd(
                ReleasedReason.ROTATION_NOT_SUPPORTED,
                STARTED.with("key/8", State.UNUSED).ended());
    }

    @Test
    void otherCredentialsOfTheSameAccountArePublishedAndNothingIsRevoked() {
        record(STARTED);
        inFlight = inFlight.withSecret(secret("old", "")).withRotationGrant(granted("key/7", "new"));
        // The grant may have ended the credentials in the Secret.
        assertThat(decide()).isInstanceOf(ReleasedAccessStep.WriteSecret.class);
        inFlight = inFlight.withSecret(secret("new", AT));
        assertEnd(ReleasedReason.ROTATION_NOT_SUPPORTED, STARTED.ended().renewedAt(NOW));
    }

    @ParameterizedTest
    @EnumSource(names = {"ALREADY_EXISTS", "UNIMPLEMENTED", "INVALID_ARGUMENT"})
    void aDriverThatRefusesASecondAccountIsNotCalledAgain(ProvisionerReason reason) {
        record(STARTED);
        inFlight = inFlight.withSecret(secret("old", "")).afterNextName();
        failure = Optional.of(failed(DriverMethod.GRANT_ACCESS, reason, 1));
        assertEnd(ReleasedReason.ROTATION_NOT_SUPPORTED, STARTED.ended());
        record(STARTED.ended());
        assertThat(decide()).isEqualTo("Done");
    }

    @Test
    void aDriverThatKeepsFailingIsCalledAFewTimes() {
        record(STARTED);
        inFlight = inFlight.withSecret(secret("old", ""));
        failure = Optional.of(failed(DriverMethod.GRANT_ACCESS, ProvisionerReason.INTERNAL_ERROR, 4));
        for (int grant = 0; grant < ReleasedRotationDecision.MAX_GRANTS; grant++) {
            inFlight = inFlight.afterNextName();
            assertGrant("ba-access-uid-1");
            inFlight = inFlight.beforeGrant(true).afterFailedGrant(true, false);
        }
        assertEnd(ReleasedReason.FAILED_ROTATE_ACCESS, STARTED.ended());
        // Without an answer the account may exist.
        inFlight = inFlight.afterFailedGrant(true, true);
        assertEnd(
                ReleasedReason.FAILED_ROTATE_ACCESS,
                STARTED.with("ba-access-uid-1", State.LOST).ended());
    }

    @Test
    void aRotationThatIsGivenUpRestoresTheAccountInTheStatus() {
        record(STARTED);
        access.setStatus(new ReleasedAccessStatus("key/8", true));
        inFlight = inFlight.withSecret(secret("old", "")).withFormerRevoked();
        failure = Optional.of(failed(DriverMethod.GRANT_ACCESS, ProvisionerReason.UNIMPLEMENTED, 1));
        AccountRecord recorded = STARTED.with("key/8", State.LOST);
        assertThat(decide()).isEqualTo(new RecordAccounts(access, bucket, recorded, Set.of()));
        record(recorded);
        assertThat(decide()).isEqualTo(new ReleasedAccessStep.WriteStatus(access, "key/7", true, false));
        access.setStatus(new ReleasedAccessStatus("key/7", true));
        assertEnd(
                ReleasedReason.ROTATION_NOT_SUPPORTED,
                recorded.with("ba-access-uid-1", State.LOST).ended());
    }

    @Test
    void aNameWhoseGrantWasLostIsGivenUpIfTheDriverRefusesItAgain() {
        record(STARTED);
        inFlight = inFlight.withSecret(secret("old", "")).withFormerRevoked();
        failure = Optional.of(failed(DriverMethod.GRANT_ACCESS, ProvisionerReason.ALREADY_EXISTS, 1));
        assertThat(decide())
                .isEqualTo(new RecordName(access, bucket, STARTED.withNextName("ba-access-uid-1"), "ba-access-uid-1"));
        record(STARTED.withNextName("ba-access-uid-1"));
        failure = Optional.empty();
        inFlight = inFlight.afterNextName();
        assertGrant("ba-access-uid-2");
    }

    @Test
    void credentialsAreAsOldAsTheAccessOrAsTheRotationThatWroteThem() {
        access.getMetadata().setAnnotations(Map.of());
        assertThat(age()).contains(new CredentialAge(NOW.minusSeconds(5), CredentialAge.Rotation.NONE));
        access.getMetadata().setAnnotations(Map.of(CosiNames.ROTATE_AT, "2026-11-17T13:00:00Z"));
        assertThat(age()).contains(new CredentialAge(NOW.minusSeconds(5), CredentialAge.Rotation.SCHEDULED));
        request();
        record(STARTED);
        now = NOW.plusSeconds(60);
        assertThat(age()).contains(new CredentialAge(NOW.minusSeconds(5), CredentialAge.Rotation.OVERDUE));
        record(STARTED.published("").renewedAt(NOW.plusSeconds(30)));
        assertThat(age()).contains(new CredentialAge(NOW.plusSeconds(30), CredentialAge.Rotation.NONE));
        // A rotation that is given up leaves the credentials as they were.
        record(STARTED.ended());
        assertThat(age()).contains(new CredentialAge(NOW.minusSeconds(5), CredentialAge.Rotation.NONE));
        access.getMetadata().setAnnotations(Map.of(CosiNames.ROTATE_AT, "tomorrow"));
        assertThat(age()).contains(new CredentialAge(NOW.minusSeconds(5), CredentialAge.Rotation.INVALID));
    }

    @Test
    void onlyCredentialsOfThisDriverHaveAnAge() {
        assertThat(age()).isPresent();
        accessClass.setAuthenticationType("IAM");
        assertThat(age()).isEmpty();
        accessClass.setAuthenticationType("Key");
        accessClass.setDriverName("other.example.com");
        assertThat(age()).isEmpty();
        accessClass.setDriverName(DRIVER);
        access.setStatus(new ReleasedAccessStatus("key/7", false));
        assertThat(age()).isEmpty();
    }

    private Optional<CredentialAge> age() {
        return ReleasedRotationDecision.age(observed());
    }

    @Test
    void aServiceAccountHasNoCredentialsToRotate() {
        accessClass.setAuthenticationType("IAM");
        access.setSpec(new ReleasedAccessSpec("photos", "", "readers", "credentials", "robot"));
        assertEnd(ReleasedReason.ROTATION_NOT_SUPPORTED, AccountRecord.NONE.refused(AT));
    }

    @Test
    void theOverlapOfAnAccessThatBecameTooLargeEnds() {
        AccountRecord published = STARTED.published(NOW.plusSeconds(60).toString());
        access.setStatus(new ReleasedAccessStatus("key/8", true));
        ObjectSize.markTooLarge(access.getMetadata());
        record(published);
        assertThat(decide()).isInstanceOfSatisfying(Step.Report.class, report -> {
            assertThat(report.problem().reason()).isEqualTo(Problem.TOO_LARGE);
            assertThat(report.result()).isInstanceOf(Result.RequeueAfter.class);
        });
        now = NOW.plusSeconds(61);
        AccountRecord revoking = published.revoking("key/7");
        assertThat(decide()).isEqualTo(new RecordAccounts(access, bucket, revoking, Set.of("key/7")));
        record(revoking);
        inFlight = inFlight.withRevoking(Set.of("key/7"));
        assertRevoke("key/7", RevokedAccount.OTHER);
        inFlight = inFlight.withOtherRevoked("key/7");
        assertThat(decide()).isEqualTo(new RecordAccounts(access, bucket, published.without("key/7"), Set.of()));
        record(published.without("key/7"));
        assertThat(decide())
                .isInstanceOfSatisfying(
                        Step.Report.class,
                        report -> assertThat(report.result()).isInstanceOf(Result.RequiresChange.class));
    }

    @Test
    void aDeletionDuringTheOverlapRevokesBothAccounts() {
        AccountRecord published = STARTED.published(NOW.plusSeconds(60).toString());
        record(published);
        access.setStatus(new ReleasedAccessStatus("key/8", true));
        ReleasedObjects.deleted(access);
        AccountRecord leaving = published.leaving();
        assertThat(decide()).isEqualTo(new RecordAccounts(access, bucket, leaving, Set.of("key/7")));
        record(leaving);
        inFlight = inFlight.withRevoking(Set.of("key/7"));
        assertRevoke("key/7", RevokedAccount.OTHER);
        inFlight = inFlight.withOtherRevoked("key/7");
        assertThat(decide()).isEqualTo(new ReleasedAccessStep.WriteStatus(access, "key/8", false, false));
        access.setStatus(new ReleasedAccessStatus("key/8", false));
        assertRevoke("key/8", RevokedAccount.CURRENT);
        inFlight = inFlight.afterRevoke().withSecret(new UserSecret.Missing());
        assertThat(decide()).isEqualTo(new RecordAccounts(access, bucket, AccountRecord.NONE, Set.of()));
        bucket.getMetadata().setAnnotations(Map.of());
        assertThat(decide()).isEqualTo(new ReleasedAccessStep.RemoveFinalizer(access));
    }

    @Test
    void aDeletionDuringAGrantRevokesWhatTheGrantMayHaveLeft() {
        record(STARTED);
        ReleasedObjects.deleted(access);
        AccountRecord left = STARTED.leaving().without("key/7");
        assertThat(decide())
                .as("the answer was lost")
                .isEqualTo(new RecordAccounts(access, bucket, left.with("ba-access-uid-1", State.LOST), Set.of()));
        inFlight = inFlight.afterNextName();
        assertThat(decide())
                .as("the driver was not called yet")
                .isEqualTo(new RecordAccounts(access, bucket, left, Set.of()));
        inFlight = inFlight.withRotationGrant(granted("key/8", "new"));
        assertThat(decide()).as("the id is not recorded yet").isInstanceOfSatisfying(RecordAccounts.class, step -> {
            assertThat(step.accounts().has("key/8")).isTrue();
            assertThat(step.marked()).containsExactly("key/8");
        });
        access.setStatus(new ReleasedAccessStatus("key/8", true));
        assertThat(decide()).as("the id is recorded").isInstanceOfSatisfying(RecordAccounts.class, step -> {
            assertThat(step.accounts().has("key/7")).isTrue();
            assertThat(step.accounts().has("key/8")).isFalse();
        });
    }

    @Test
    void whatATenantWritesRevokesNoAccount() {
        AccountRecord forged = AccountRecord.NONE.with("ba-somebody-else", State.UNUSED);
        String key = ReleasedNames.ACCOUNTS + "access-uid";
        access.getMetadata().setAnnotations(Map.of(key, forged.encode()));
        inFlight = inFlight.withSecret(new UserSecret.Owned(new SecretBuilder()
                .withNewMetadata()
                .withAnnotations(Map.of(key, forged.encode()))
                .endMetadata()
                .build()));
        ReleasedObjects.deleted(access);
        assertThat(decide()).isEqualTo(new ReleasedAccessStep.WriteStatus(access, "key/7", false, false));
        access.setStatus(new ReleasedAccessStatus("key/7", false));
        assertRevoke("key/7", RevokedAccount.CURRENT);
        record(forged);
        assertThat(decide()).as("only the Bucket counts").isInstanceOf(RecordAccounts.class);
    }

    @Test
    void anotherNameFollowsAFirstGrantThatWasLostAndIsRefused() {
        access.setStatus(new ReleasedAccessStatus("", false));
        access.getMetadata().setAnnotations(Map.of());
        inFlight = inFlight.withSecret(new UserSecret.Missing()).withFormerRevoked();
        failure = Optional.of(failed(DriverMethod.GRANT_ACCESS, ProvisionerReason.INTERNAL_ERROR, 2));
        assertThat(decide())
                .as("it may be an outage")
                .isInstanceOfSatisfying(
                        ReleasedAccessStep.Grant.class,
                        grant -> assertThat(grant.account()).isEqualTo("ba-access-uid"));
        failure = Optional.of(failed(DriverMethod.GRANT_ACCESS, ProvisionerReason.INTERNAL_ERROR, 3));
        AccountRecord next = AccountRecord.NONE.withNextName("ba-access-uid");
        assertThat(decide()).isEqualTo(new RecordName(access, bucket, next, "ba-access-uid"));
        record(next);
        inFlight = inFlight.afterNextName();
        assertThat(decide())
                .isInstanceOfSatisfying(
                        ReleasedAccessStep.Grant.class,
                        grant -> assertThat(grant.account()).isEqualTo("ba-access-uid-1"));
        // A driver that loses every answer does not fill the store with accounts.
        inFlight = inFlight.beforeGrant(false).withFormerRevoked();
        record(next.withNextName("ba-access-uid-1").withNextName("ba-access-uid-2"));
        assertThat(decide()).isInstanceOf(ReleasedAccessStep.Grant.class);
    }

    private void record(AccountRecord accounts) {
        Map<String, String> annotations = new HashMap<>();
        annotations.put(ReleasedNames.ACCOUNTS + "access-uid", accounts.encode());
        bucket.getMetadata().setAnnotations(annotations);
    }

    private FailedAttempt failed(DriverMethod method, ProvisionerReason reason, int attempts) {
        return ReleasedObjects.failed(method, access, reason, "failed.", attempts);
    }

    private static GrantedAccess granted(String id, String key) {
        return new GrantedAccess(
                id, new AccountCredentials.S3Key("https://s3", "eu", key, SecretValue.of("secret-" + key)));
    }

    /** A Secret of the access with this key. */
    private UserSecret secret(String key, String rotatedAt) {
        return new UserSecret.Owned(new SecretBuilder()
                .withNewMetadata()
                .withAnnotations(Map.of(CosiNames.ROTATED_AT, rotatedAt))
                .endMetadata()
                .withData(BucketInfoContent.data(access, accessClass, bucket, granted("", key)))
                .build());
    }
}
