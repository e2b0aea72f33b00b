package io.bucketwright.cosi.sidecar.accesses;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.CosiStatus;
import io.bucketwright.api.cosi.ProvisionerReport;
import io.bucketwright.api.cosi.status.BucketAccessPhase;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.cosi.sidecar.driver.SidecarSamples;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.store.connection.SecretValue;
import io.fabric8.kubernetes.api.model.Secret;
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

    private static final InFlightAccess ISSUED =
            InFlightAccess.none().withCredentials(new IssuedCredentials(Map.of("key", SecretValue.of("value")), ""));

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
        BucketAccess leaving = leaving(SidecarSamples.access(_ -> {}));
        Bucket beingDeleted = SidecarSamples.created();
        beingDeleted.getMetadata().setDeletionTimestamp("2026-11-15T11:00:00Z");
        return Stream.of(
                row(
                        "the finalizer is added before access is granted",
                        observed(withoutFinalizer, ready, none),
                        "AddFinalizer"),
                row("then access is granted", observed(plain, ready, none), "Grant"),
                row(
                        "not before the bucket exists",
                        observed(plain, Optional.of(SidecarSamples.bucket(spec -> spec)), none),
                        "finish"),
                row(
                        "not for a Bucket that is being deleted",
                        observed(plain, Optional.of(beingDeleted), none),
                        "finish"),
                row("not for a Bucket that no longer exists", observed(plain, Optional.empty(), none), "finish"),
                row("issued credentials are written", observed(plain, ready, none, ISSUED), "WriteSecret"),
                row("a granted access needs nothing", observed(plain, ready, ours), "finish"),
                row(
                        "after Bound, a Secret that the cache does not show is read first",
                        observed(bound, ready, none),
                        "ReadSecret"),
                row(
                        "if it does not exist, access is granted again",
                        observed(bound, ready, none, InFlightAccess.none().withMissingSecret()),
                        "Grant"),
                row(
                        "the credentials in a Secret that is being deleted are kept",
                        observed(bound, ready, terminating),
                        "KeepCredentials"),
                row("then its finalizer is removed", observed(bound, ready, terminating, ISSUED), "ReleaseSecret"),
                row("then it is created again", observed(bound, ready, none, ISSUED), "WriteSecret"),
                row("deletion revokes the access", observed(leaving, ready, ours), "Revoke"),
                row("also if it was never granted", observed(leaving, ready, none), "Revoke"),
                row(
                        "also without the Bucket, if the Secret names the bucket",
                        observed(leaving, Optional.empty(), ours),
                        "Revoke"),
                row(
                        "without both, RevokeBucketAccess is skipped",
                        observed(leaving, Optional.empty(), none),
                        "SkipRevoke"),
                row(
                        "then the Secret is deleted",
                        observed(leaving, ready, ours, InFlightAccess.none().withRevoked()),
                        "DeleteSecret"),
                row(
                        "then the finalizer of the Secret is removed",
                        observed(
                                leaving,
                                ready,
                                terminating,
                                InFlightAccess.none().withRevoked()),
                        "ReleaseSecret"),
                row(
                        "then the finalizer of the access is removed",
                        observed(leaving, ready, none, InFlightAccess.none().withRevoked()),
                        "RemoveFinalizer"),
                row(
                        "after Bound, only after a read of the Secret",
                        observed(
                                leaving(bound(SidecarSamples.access(_ -> {}))),
                                ready,
                                none,
                                InFlightAccess.none().withRevoked()),
                        "ReadSecret"),
                row(
                        "without the finalizer nothing is done",
                        observed(
                                leaving(SidecarSamples.access(
                                        object -> object.getMetadata().setFinalizers(List.of(CosiNames.FINALIZER)))),
                                ready,
                                ours),
                        "finish"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("table")
    void decidesByTheTable(String rule, ObservedAccess observed, String expected) {
        assertThat(text(SidecarAccessDecision.decide(observed))).as(rule).isEqualTo(expected);
    }

    @Test
    void rotatesOnceWhenTheRotationIsDue() {
        Optional<Bucket> ready = Optional.of(SidecarSamples.created());
        BucketAccess due = rotating("2026-11-15T11:59:59Z");
        assertThat(SidecarAccessDecision.decide(observed(due, ready, Optional.of(SidecarSamples.secret(_ -> {})))))
                .isInstanceOfSatisfying(
                        Decision.Act.class,
                        act -> assertThat(((SidecarAccessStep.Grant) act.step()).rotateAt())
                                .isEqualTo("2026-11-15T11:59:59Z"));
        Secret rotated = SidecarSamples.secret(
                object -> object.getMetadata().setAnnotations(Map.of(CosiNames.ROTATED_AT, "2026-11-15T11:59:59Z")));
        assertThat(SidecarAccessDecision.decide(observed(due, ready, Optional.of(rotated))))
                .isEqualTo(Decision.done());
        assertThat(SidecarAccessDecision.decide(
                        observed(rotating("2026-11-15T12:01:00Z"), ready, Optional.of(SidecarSamples.secret(_ -> {})))))
                .isEqualTo(Decision.finish(Result.requeueAfter(Duration.ofMinutes(1))));
        assertThat(text(SidecarAccessDecision.decide(
                        observed(rotating("soon"), ready, Optional.of(SidecarSamples.secret(_ -> {}))))))
                .isEqualTo("Failed: InvalidRotateAt");
    }

    @Test
    void clearsTheReportWhenTheProblemIsSolved() {
        BucketAccess access = SidecarSamples.access(object -> object.getMetadata()
                .setAnnotations(
                        Map.of(CosiNames.PROVISIONER_REPORT, report(ProvisionerReason.INTERNAL_ERROR, "It failed."))));
        assertThat(text(SidecarAccessDecision.decide(observed(
                        access, Optional.of(SidecarSamples.created()), Optional.of(SidecarSamples.secret(_ -> {}))))))
                .isEqualTo("ClearReport");
    }

    @Test
    void reportsAnUnavailableDriverOnce() {
        DriverPreconditions away =
                new DriverPreconditions(new DriverState.Unavailable("gone"), 1, SidecarSamples.READY.secret());
        BucketAccess access = SidecarSamples.access(_ -> {});
        Decision<SidecarAccessStep> first = SidecarAccessDecision.decide(
                observed(access, Optional.of(SidecarSamples.created()), Optional.empty(), away, InFlightAccess.none()));
        assertThat(text(first)).isEqualTo("Retrying: DriverUnavailable");
        access.getMetadata()
                .setAnnotations(Map.of(
                        CosiNames.PROVISIONER_REPORT,
                        report(ProvisionerReason.DRIVER_UNAVAILABLE, "Another message.")));
        assertThat(SidecarAccessDecision.decide(observed(
                        access, Optional.of(SidecarSamples.created()), Optional.empty(), away, InFlightAccess.none())))
                .isEqualTo(Decision.done());
    }

    private static String text(Decision<SidecarAccessStep> decided) {
        return switch (decided) {
            case Decision.Finish<SidecarAccessStep> _ -> "finish";
            case Decision.Act<SidecarAccessStep>(SidecarAccessStep.Report report) ->
                (report.problem().isRetried() ? "Retrying: " : "Failed: ")
                        + report.problem().reason();
            case Decision.Act<SidecarAccessStep>(SidecarAccessStep step) ->
                step.getClass().getSimpleName();
        };
    }

    private static Arguments row(String rule, ObservedAccess observed, String expected) {
        return Arguments.of(rule, observed, expected);
    }

    private static ObservedAccess observed(BucketAccess access, Optional<Bucket> bucket, Optional<Secret> secret) {
        return observed(access, bucket, secret, InFlightAccess.none());
    }

    private static ObservedAccess observed(
            BucketAccess access, Optional<Bucket> bucket, Optional<Secret> secret, InFlightAccess inFlight) {
        return observed(access, bucket, secret, SidecarSamples.READY, inFlight);
    }

    private static ObservedAccess observed(
            BucketAccess access,
            Optional<Bucket> bucket,
            Optional<Secret> secret,
            DriverPreconditions preconditions,
            InFlightAccess inFlight) {
        return new ObservedAccess(
                ObjectKey.of(access),
                Optional.of(access),
                bucket,
                secret,
                preconditions,
                inFlight,
                Optional.empty(),
                SidecarSamples.NOW);
    }

    private static BucketAccess leaving(BucketAccess access) {
        access.getMetadata().setDeletionTimestamp("2026-11-15T11:00:00Z");
        return access;
    }

    private static BucketAccess bound(BucketAccess access) {
        access.setStatus(new CosiStatus("Bound", "", List.of(), null));
        return access;
    }

    private static BucketAccess rotating(String at) {
        return SidecarSamples.access(object -> object.getMetadata().setAnnotations(Map.of(CosiNames.ROTATE_AT, at)));
    }

    private static String report(ProvisionerReason reason, String message) {
        return new ProvisionerReport(BucketAccessPhase.RETRYING, reason, message).encode();
    }
}
