package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.CosiStatus;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.cosi.sidecar.driver.SidecarSamples;
import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Step;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Accesses that are deleted on a driver that issues ids for accounts. */
class UnknownAccountDecisionTest {

    private static final DriverPreconditions ISSUES_IDS = new DriverPreconditions(
            new DriverState.Ready("cosi.v1alpha1", true, Set.of(Protocol.S3)), 1, SidecarSamples.READY.secret());
    private static final String LONG_AGO = "2026-11-15T11:50:00Z";
    private static final String JUST_NOW = "2026-11-15T11:59:00Z";

    @Test
    void theIdIsReadFromTheSecret() {
        Secret secret = SidecarSamples.secret(object -> object.getMetadata()
                .setAnnotations(Map.of(CosiNames.BUCKET_ACCESS_UID, "access-uid", CosiNames.ACCOUNT_ID, "account=1")));
        assertThat(revoked(decide(JUST_NOW, Optional.of(secret), Optional.empty())))
                .isEqualTo("account=1");
    }

    @Test
    void withoutASecretTheAccountIsRevokedByName() {
        assertThat(revoked(decide(JUST_NOW, Optional.empty(), Optional.empty())))
                .isEqualTo("ba-access-request-uid");
    }

    @Test
    void aSecretThatWasPublishedIsReadEvenIfItLostItsLabel() {
        BucketAccess bound = access(JUST_NOW);
        bound.setStatus(new CosiStatus("Bound", "", List.of(), null));
        assertThat(SidecarAccessDecision.decide(observed(bound, Optional.empty(), ISSUES_IDS, Optional.empty())))
                .isEqualTo(Decision.act(new SidecarAccessStep.ReadSecret(bound)));
    }

    @Test
    void anAccountWithoutIdThatTheDriverDoesNotRevokeIsGivenUpAfterTheGracePeriod() {
        Optional<FailedAttempt> failed = failure(DriverMethod.REVOKE_ACCESS);
        assertThat(revoked(decide(JUST_NOW, Optional.empty(), failed)))
                .as("it is still retried")
                .isEqualTo("ba-access-request-uid");
        assertThat(revoked(decide(LONG_AGO, Optional.empty(), failed)))
                .as("one error, or an outage of the store, is not the answer that there is no account")
                .isEqualTo("ba-access-request-uid");
        assertThat(SidecarAccessDecision.decide(observed(
                        access(LONG_AGO), Optional.empty(), ISSUES_IDS, failed, refusedFor(Duration.ofMinutes(6)))))
                .isEqualTo(Decision.act(new SidecarAccessStep.SkipRevoke(
                        access(LONG_AGO),
                        "ba-access-request-uid",
                        "The id of the account is not known, and the driver does not revoke it by its name: No.")));
        assertThat(revoked(decide(LONG_AGO, Optional.empty(), failure(DriverMethod.GRANT_ACCESS))))
                .as("it was not tried")
                .isEqualTo("ba-access-request-uid");
    }

    @Test
    void aDriverWithoutIdsIsCalledUntilItSucceeds() {
        assertThat(revoked(SidecarAccessDecision.decide(observed(
                        access(LONG_AGO),
                        Optional.empty(),
                        SidecarSamples.READY,
                        failure(DriverMethod.REVOKE_ACCESS)))))
                .isEqualTo("ba-access-request-uid");
    }

    private static Optional<FailedAttempt> failure(DriverMethod method) {
        return Optional.of(new FailedAttempt(
                method,
                "other inputs connection 1",
                Problem.retryable(ProvisionerReason.INTERNAL_ERROR.text(), "No"),
                1,
                Duration.ZERO));
    }

    private static String revoked(Decision<Step> decided) {
        return decided instanceof Decision.Act<Step>(SidecarAccessStep.CallDriver call)
                        && call.method() == DriverMethod.REVOKE_ACCESS
                ? call.grant().accountId()
                : "no call: " + decided;
    }

    private static Decision<Step> decide(String deletion, Optional<Secret> secret, Optional<FailedAttempt> failure) {
        return SidecarAccessDecision.decide(observed(access(deletion), secret, ISSUES_IDS, failure));
    }

    private static BucketAccess access(String deletion) {
        return SidecarSamples.access(object -> object.getMetadata().setDeletionTimestamp(deletion));
    }

    @Test
    void errorsLastIfNoCallSucceedsWithinTheGracePeriod() {
        assertThat(refusedFor(Duration.ofSeconds(359)).refusals().lasting()).isFalse();
        assertThat(refusedFor(Duration.ofMinutes(6)).refusals().lasting()).isTrue();
        assertThat(refusedFor(Duration.ofMinutes(6)).withRevoked("ba-other").refusals())
                .isEqualTo(SidecarAccessState.Refusals.NONE);
    }

    /** What is known after errors at the beginning and at the end of that time. */
    private static SidecarAccessState refusedFor(Duration duration) {
        Moment first = new Moment(7);
        return SidecarAccessState.NONE.withRefusal(first).withRefusal(first.plus(duration));
    }

    private static SidecarAccessObservation observed(
            BucketAccess access,
            Optional<Secret> secret,
            DriverPreconditions preconditions,
            Optional<FailedAttempt> failure) {
        return observed(access, secret, preconditions, failure, SidecarAccessState.NONE);
    }

    private static SidecarAccessObservation observed(
            BucketAccess access,
            Optional<Secret> secret,
            DriverPreconditions preconditions,
            Optional<FailedAttempt> failure,
            SidecarAccessState inFlight) {
        return new SidecarAccessObservation(
                Optional.of(access),
                Optional.of(SidecarSamples.created()),
                Optional.empty(),
                secret,
                preconditions,
                inFlight,
                failure,
                SidecarSamples.NOW);
    }
}
