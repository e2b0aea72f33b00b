package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.CosiStatus;
import io.bucketwright.api.cosi.ProvisionerReport;
import io.bucketwright.api.cosi.status.BucketAccessPhase;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.cosi.sidecar.driver.SidecarSamples;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.controller.Step;
import io.bucketwright.store.connection.SecretValue;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SidecarAccessDecisionTest {

    private static final SidecarAccessState ISSUED =
            SidecarAccessState.NONE.withCredentials(issued("", "ba-access-request-uid", Optional.empty()));

    private static final SidecarAccessState REVOKED = SidecarAccessState.NONE.withRevoked("ba-access-request-uid");

    private final Optional<Bucket> ready = Optional.of(SidecarSamples.created());
    private final Optional<Secret> ours = Optional.of(SidecarSamples.secret(_ -> {}));

    static Stream<Arguments> table() {
        Optional<Bucket> ready = Optional.of(SidecarSamples.created());
        Optional<Secret> none = Optional.empty();
        Optional<Secret> ours = Optional.of(SidecarSamples.secret(_ -> {}));
        Optional<Secret> terminating = Optional.of(
                SidecarSamples.secret(object -> object.getMetadata().setDeletionTimestamp("2026-11-15T11:00:00Z")));
        BucketAccess plain = SidecarSamples.access(_ -> {});
        BucketAccess withoutFinalizer =
                SidecarSamples.access(object -> object.getMetadata().setFinalizers(List.of(CosiNames.FINALIZER)));
        BucketAccess bound = bound(SidecarSamples.access(_ -> {}));
        BucketAccess beingDeleted = beingDeleted(SidecarSamples.access(_ -> {}));
        Bucket deletedBucket = SidecarSamples.created();
        deletedBucket.getMetadata().setDeletionTimestamp("2026-11-15T11:00:00Z");
        return Stream.of(
                arguments(
                        "the finalizer is added before access is granted",
                        observed(withoutFinalizer, ready, none),
                        "add the finalizer"),
                arguments("then access is granted", observed(plain, ready, none), "GRANT_ACCESS"),
                arguments(
                        "not before the bucket exists",
                        observed(plain, Optional.of(SidecarSamples.bucket(spec -> spec)), none),
                        "finish"),
                arguments(
                        "not for a Bucket that is being deleted",
                        observed(plain, Optional.of(deletedBucket), none),
                        "finish"),
                arguments("not for a Bucket that no longer exists", observed(plain, Optional.empty(), none), "finish"),
                arguments("issued credentials are written", observed(plain, ready, none, ISSUED), "WriteSecret"),
                arguments("a granted access needs nothing", observed(plain, ready, ours), "finish"),
                arguments(
                        "after Bound, a Secret that the cache does not show is read first",
                        observed(bound, ready, none),
                        "ReadSecret"),
                arguments(
                        "if it does not exist, access is granted again",
                        observed(bound, ready, none, SidecarAccessState.NONE.withMissingSecret()),
                        "GRANT_ACCESS"),
                arguments(
                        "the credentials in a Secret that is being deleted are kept",
                        observed(bound, ready, terminating),
                        "KeepCredentials"),
                arguments(
                        "then its finalizer is removed",
                        observed(bound, ready, terminating, ISSUED),
                        "RemoveSecretFinalizer"),
                arguments("then it is created again", observed(bound, ready, none, ISSUED), "WriteSecret"),
                arguments("deletion revokes the access", observed(beingDeleted, ready, ours), "REVOKE_ACCESS"),
                arguments("also if it was never granted", observed(beingDeleted, ready, none), "REVOKE_ACCESS"),
                arguments(
                        "also without the Bucket, if the Secret names the bucket",
                        observed(beingDeleted, Optional.empty(), ours),
                        "REVOKE_ACCESS"),
                arguments(
                        "also with a Bucket that a backup restored",
                        restored(beingDeleted, SidecarSamples.created()),
                        "REVOKE_ACCESS"),
                arguments(
                        "without both it reports that it waits, because a restore may create the Bucket later",
                        observed(
                                beingDeleted(SidecarSamples.access(_ -> {}), "2026-11-15T11:54:01Z"),
                                Optional.empty(),
                                none),
                        "Retrying: BucketDoesNotExist"),
                arguments(
                        "and skips RevokeBucketAccess after 6 minutes",
                        observed(beingDeleted, Optional.empty(), none),
                        "SkipRevoke"),
                arguments("then the Secret is deleted", observed(beingDeleted, ready, ours, REVOKED), "DeleteSecret"),
                arguments(
                        "then the finalizer of the Secret is removed",
                        observed(beingDeleted, ready, terminating, REVOKED),
                        "RemoveSecretFinalizer"),
                arguments(
                        "then the finalizer of the access is removed",
                        observed(beingDeleted, ready, none, REVOKED),
                        "remove the finalizer"),
                arguments(
                        "after Bound, only after a read of the Secret",
                        observed(beingDeleted(bound(SidecarSamples.access(_ -> {}))), ready, none, REVOKED),
                        "ReadSecret"),
                arguments(
                        "without the finalizer nothing is done",
                        observed(
                                beingDeleted(SidecarSamples.access(
                                        object -> object.getMetadata().setFinalizers(List.of(CosiNames.FINALIZER)))),
                                ready,
                                ours),
                        "finish"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("table")
    void decidesByTheTable(String rule, SidecarAccessObservation observed, String expected) {
        assertThat(text(SidecarAccessDecision.decide(observed))).as(rule).isEqualTo(expected);
    }

    @Test
    void rotatesOnceWhenTheRotationIsDue() {
        BucketAccess due = rotating("2026-11-15T11:59:59Z");
        assertThat(decide(due, ours))
                .isInstanceOfSatisfying(
                        Decision.Act.class,
                        act -> assertThat(((SidecarAccessStep.CallDriver) act.step()).grant())
                                .isEqualTo(new SidecarAccessStep.Grant(
                                        "ba-access-request-uid-2",
                                        "2026-11-15T11:59:59Z",
                                        Optional.of(Duration.ofHours(24)))));
        Secret rotated = SidecarSamples.secret(
                object -> object.getMetadata().setAnnotations(Map.of(CosiNames.ROTATED_AT, "2026-11-15T11:59:59Z")));
        assertThat(decide(due, Optional.of(rotated))).isEqualTo(Decision.done());
        assertThat(decide(rotating("2026-11-15T12:01:00Z"), ours))
                .isEqualTo(Decision.finish(Result.requeueAfter(Duration.ofMinutes(1))));
        assertThat(text(decide(rotating("soon"), ours))).isEqualTo("Failed: InvalidRotateAt");
    }

    @Test
    void theFirstAccountIsRevokedAfterTheOverlapAndUsedByTheNextRotation() {
        BucketAccess access = rotating("2026-11-15T11:00:00Z");
        assertThat(decide(access, Optional.of(rotated("2026-11-15T12:01:00Z"))))
                .isEqualTo(Decision.finish(Result.requeueAfter(Duration.ofMinutes(1))));
        Optional<Secret> over = Optional.of(rotated("2026-11-15T11:59:00Z"));
        assertThat(call(decide(access, over)).grant().account()).isEqualTo("ba-access-request-uid");
        assertThat(call(decide(access, over)).method()).isEqualTo(DriverMethod.REVOKE_ACCESS);
        assertThat(text(SidecarAccessDecision.decide(observed(access, ready, over, REVOKED))))
                .isEqualTo("EndOverlap");

        BucketAccess again = rotating("2026-11-15T11:30:00Z");
        assertThat(text(decide(again, over))).as("the overlap ends first").isEqualTo("REVOKE_ACCESS");
        assertThat(call(decide(again, Optional.of(rotated("")))).grant().account())
                .isEqualTo("ba-access-request-uid");
    }

    @Test
    void deletionRevokesBothAccountsAfterARotation() {
        BucketAccess access = beingDeleted(rotating("2026-11-15T11:00:00Z"));
        Optional<Secret> secret = Optional.of(rotated("2026-11-15T12:01:00Z"));
        assertThat(call(decide(access, secret)).grant().account()).isEqualTo("ba-access-request-uid");
        assertThat(call(SidecarAccessDecision.decide(observed(access, ready, secret, REVOKED)))
                        .grant()
                        .account())
                .isEqualTo("ba-access-request-uid-2");
        assertThat(text(SidecarAccessDecision.decide(
                        observed(access, ready, secret, REVOKED.withRevoked("ba-access-request-uid-2")))))
                .isEqualTo("DeleteSecret");
    }

    @Test
    void credentialsThatTheDriverIssuedAreWrittenToASecretThatShowsTheirRotationAlready() {
        // A former leader published its credentials of this account, and the grant of this one ended them.
        SidecarAccessState again = SidecarAccessState.NONE.withCredentials(
                issued("2026-11-15T11:00:00Z", "ba-access-request-uid-2", Optional.of(Duration.ofHours(1))));
        for (String until : List.of("2026-11-15T12:01:00Z", "2026-11-15T11:59:00Z", "")) {
            assertThat(text(SidecarAccessDecision.decide(
                            observed(rotating("2026-11-15T11:00:00Z"), ready, Optional.of(rotated(until)), again))))
                    .as("previous valid until '%s'", until)
                    .isEqualTo("WriteSecret");
        }
    }

    @Test
    void onlyTheAccountThatIsLeftIsGivenUp() {
        BucketAccess access = beingDeleted(rotating("2026-11-15T11:00:00Z"));
        assertThat(SidecarAccessDecision.decide(observed(access, Optional.empty(), Optional.empty(), REVOKED)))
                .isInstanceOfSatisfying(
                        Decision.Act.class,
                        act -> assertThat(act.step())
                                .isInstanceOfSatisfying(
                                        SidecarAccessStep.SkipRevoke.class,
                                        skip -> assertThat(skip.account()).isEqualTo("ba-access-request-uid-2")));
    }

    @Test
    void theOverlapStartsWhenTheSecretIsWritten() {
        assertThat(issued("", "ba-access-request-uid", Optional.of(Duration.ofHours(1)))
                        .annotations(SidecarSamples.NOW))
                .as("the account too: the Secret may name the other one")
                .isEqualTo(Map.of(
                        CosiNames.ACCOUNT,
                        "ba-access-request-uid",
                        CosiNames.PREVIOUS_VALID_UNTIL,
                        "2026-11-15T13:00:00Z"));
        assertThat(issued("", "ba-access-request-uid", Optional.empty()).annotations(SidecarSamples.NOW))
                .isEmpty();
    }

    @Test
    void aGrantThatFailsMayHaveCreatedTheRevokedAccountAgain() {
        assertThat(REVOKED.beforeGrant("ba-access-request-uid").revoked()).isEmpty();
        assertThat(REVOKED.beforeGrant("ba-access-request-uid-2").revoked()).containsExactly("ba-access-request-uid");
    }

    @Test
    void aWrittenSecretIsNoLongerMissing() {
        SidecarAccessState written = ISSUED.withMissingSecret().withoutCredentials();
        assertThat(text(SidecarAccessDecision.decide(
                        observed(bound(SidecarSamples.access(_ -> {})), ready, Optional.empty(), written))))
                .as("somebody removed its label: granting again would end its credentials")
                .isEqualTo("ReadSecret");
    }

    private static IssuedCredentials issued(String rotatedAt, String account, Optional<Duration> overlap) {
        return new IssuedCredentials(
                Map.of("key", SecretValue.of("value")), rotatedAt, account, DriverIds.NONE, overlap, "");
    }

    /** The Secret after the first rotation. */
    private static Secret rotated(String previousValidUntil) {
        return SidecarSamples.secret(object -> object.getMetadata()
                .setAnnotations(Map.of(
                        CosiNames.ROTATED_AT,
                        "2026-11-15T11:00:00Z",
                        CosiNames.ACCOUNT,
                        "ba-access-request-uid-2",
                        CosiNames.PREVIOUS_VALID_UNTIL,
                        previousValidUntil)));
    }

    private static SidecarAccessStep.CallDriver call(Decision<Step> decided) {
        return decided instanceof Decision.Act<Step>(SidecarAccessStep.CallDriver call)
                ? call
                : fail("No call: " + decided);
    }

    @Test
    void clearsTheReportWhenTheProblemIsSolved() {
        BucketAccess access = SidecarSamples.access(_ -> {});
        report(access, ProvisionerReason.INTERNAL_ERROR, "It failed.");
        assertThat(text(decide(access, ours))).isEqualTo("clear the report");
    }

    @Test
    void nothingIsReportedBeforeTheFirstAttemptToConnectEnds() {
        DriverPreconditions connecting =
                new DriverPreconditions(new DriverState.Connecting(), 0, SidecarSamples.READY.secret());
        SidecarAccessObservation observed =
                observed(SidecarSamples.access(_ -> {}), ready, Optional.empty(), connecting, SidecarAccessState.NONE);
        assertThat(SidecarAccessDecision.decide(observed)).isEqualTo(Decision.finish(Result.pending()));
    }

    @Test
    void reportsAnUnavailableDriverOnce() {
        DriverPreconditions unavailable =
                new DriverPreconditions(new DriverState.Unavailable("down"), 1, SidecarSamples.READY.secret());
        BucketAccess access = SidecarSamples.access(_ -> {});
        SidecarAccessObservation observed =
                observed(access, ready, Optional.empty(), unavailable, SidecarAccessState.NONE);
        assertThat(text(SidecarAccessDecision.decide(observed))).isEqualTo("Retrying: DriverNotConnected");
        report(access, ProvisionerReason.DRIVER_NOT_CONNECTED, "Another message.");
        assertThat(SidecarAccessDecision.decide(observed)).isEqualTo(Decision.done());
    }

    @Test
    void aGrantThatWasRefusedBeforeTheTransferIsRepeatedAfterIt() {
        BucketAccess access = SidecarSamples.access(_ -> {});
        SidecarAccessObservation before =
                annotated(access, Map.of(CosiNames.TRANSFER_FROM, "former"), Optional.empty());
        Optional<FailedAttempt> refused = Optional.of(new FailedAttempt(
                DriverMethod.GRANT_ACCESS,
                call(SidecarAccessDecision.decide(before)).inputs(),
                Problem.requiresChange(ProvisionerReason.INTERNAL_ERROR.text(), "It belongs to another cluster."),
                1,
                Duration.ZERO));
        assertThat(text(SidecarAccessDecision.decide(
                        annotated(access, Map.of(CosiNames.TRANSFER_FROM, "former"), refused))))
                .isEqualTo("Failed: InternalError");
        assertThat(text(SidecarAccessDecision.decide(
                        annotated(access, Map.of(CosiNames.TRANSFERRED_FROM, "former"), refused))))
                .isEqualTo("GRANT_ACCESS");
    }

    private static SidecarAccessObservation annotated(
            BucketAccess access, Map<String, String> ofBucket, Optional<FailedAttempt> failure) {
        Bucket bucket = SidecarSamples.created();
        bucket.getMetadata().setAnnotations(ofBucket);
        return new SidecarAccessObservation(
                Optional.of(access),
                Optional.of(bucket),
                Optional.empty(),
                Optional.empty(),
                SidecarSamples.READY,
                SidecarAccessState.NONE,
                failure,
                SidecarSamples.NOW);
    }

    private Decision<Step> decide(BucketAccess access, Optional<Secret> secret) {
        return SidecarAccessDecision.decide(observed(access, ready, secret));
    }

    private static String text(Decision<Step> decided) {
        return switch (decided) {
            case Decision.Finish<Step> _ -> "finish";
            case Decision.Act<Step>(Step.Write write) when write.name().equals("report") -> reported(write);
            case Decision.Act<Step>(Step.Write write) -> write.name();
            case Decision.Act<Step>(SidecarAccessStep.CallDriver call) ->
                call.method().name();
            case Decision.Act<Step>(Step step) -> step.getClass().getSimpleName();
        };
    }

    /** The phase and the reason in the annotation that the step writes. */
    private static String reported(Step.Write write) {
        String written = Serialization.asJson(((Step.Merge) write.change()).fields());
        ProvisionerReport report = ProvisionerReport.of(Serialization.unmarshal(written, BucketAccess.class))
                .orElseThrow();
        return report.phase().text() + ": " + report.reason().text();
    }

    private static SidecarAccessObservation restored(BucketAccess access, Bucket bucket) {
        return new SidecarAccessObservation(
                Optional.of(access),
                Optional.empty(),
                Optional.of(bucket),
                Optional.empty(),
                SidecarSamples.READY,
                SidecarAccessState.NONE,
                Optional.empty(),
                SidecarSamples.NOW);
    }

    private static SidecarAccessObservation observed(
            BucketAccess access, Optional<Bucket> bucket, Optional<Secret> secret) {
        return observed(access, bucket, secret, SidecarAccessState.NONE);
    }

    private static SidecarAccessObservation observed(
            BucketAccess access, Optional<Bucket> bucket, Optional<Secret> secret, SidecarAccessState inFlight) {
        return observed(access, bucket, secret, SidecarSamples.READY, inFlight);
    }

    private static SidecarAccessObservation observed(
            BucketAccess access,
            Optional<Bucket> bucket,
            Optional<Secret> secret,
            DriverPreconditions preconditions,
            SidecarAccessState inFlight) {
        return new SidecarAccessObservation(
                Optional.of(access),
                bucket,
                Optional.empty(),
                secret,
                preconditions,
                inFlight,
                Optional.empty(),
                SidecarSamples.NOW);
    }

    private static BucketAccess beingDeleted(BucketAccess access) {
        return beingDeleted(access, "2026-11-15T11:00:00Z");
    }

    private static BucketAccess beingDeleted(BucketAccess access, String since) {
        access.getMetadata().setDeletionTimestamp(since);
        return access;
    }

    private static BucketAccess bound(BucketAccess access) {
        access.setStatus(new CosiStatus("Bound", "", List.of(), null));
        return access;
    }

    private static BucketAccess rotating(String at) {
        return SidecarSamples.access(object -> object.getMetadata().setAnnotations(Map.of(CosiNames.ROTATE_AT, at)));
    }

    private static void report(BucketAccess access, ProvisionerReason reason, String message) {
        String report = new ProvisionerReport(BucketAccessPhase.RETRYING, reason, message).encode();
        access.getMetadata().setAnnotations(Map.of(CosiNames.PROVISIONER_REPORT, report));
    }
}
