package io.bucketwright.cosi.sidecar.accesses;

import io.bucketwright.cosi.sidecar.Sample;

import io.bucketwright.cosi.sidecar.driver.Recollection;

import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;

import io.bucketwright.cosi.sidecar.driver.DriverState;





import io.bucketwright.api.cosi.BucketAccessPhase;
import io.bucketwright.api.cosi.ProvisionerReport;
import io.bucketwright.api.cosi.ProvisionerReason;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.CosiStatus;
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

    private static final Recollection HANDED =
            Recollection.none().withCredentials(new IssuedCredentials(Map.of("key", SecretValue.of("value")), ""));

    private final SidecarAccessDecision decision = new SidecarAccessDecision();

    static Stream<Arguments> table() {
        Optional<Bucket> ready = Optional.of(Sample.filled());
        Optional<Secret> none = Optional.empty();
        Optional<Secret> ours = Optional.of(Sample.secret(_ -> {}));
        Optional<Secret> dying =
                Optional.of(Sample.secret(it -> it.getMetadata().setDeletionTimestamp("2026-11-15T11:00:00Z")));
        BucketAccess plain = Sample.access(_ -> {});
        BucketAccess unheld = Sample.access(it -> it.getMetadata().setFinalizers(List.of(CosiNames.FINALIZER)));
        BucketAccess bound = bound(Sample.access(_ -> {}));
        BucketAccess leaving = leaving(Sample.access(_ -> {}));
        Bucket goingAway = Sample.filled();
        goingAway.getMetadata().setDeletionTimestamp("2026-11-15T11:00:00Z");
        return Stream.of(
                row("it is held before anything is granted", Sample.observed(unheld, ready, none), "Hold"),
                row("then granted", Sample.observed(plain, ready, none), "Grant"),
                row(
                        "not before the bucket is there",
                        Sample.observed(plain, Optional.of(Sample.bucket(spec -> spec)), none),
                        "rest"),
                row("not for a bucket that goes", Sample.observed(plain, Optional.of(goingAway), none), "rest"),
                row("not for a bucket that is gone", Sample.observed(plain, Optional.empty(), none), "rest"),
                row("what was granted is written down", with(plain, ready, none, HANDED), "PutSecret"),
                row("and that is all", Sample.observed(plain, ready, ours), "rest"),
                row(
                        "a Secret that is missed after Bound is looked for first",
                        Sample.observed(bound, ready, none),
                        "Look"),
                row(
                        "and only then is access granted anew",
                        with(bound, ready, none, Recollection.none().withLooked()),
                        "Grant"),
                row("a Secret that somebody deletes is saved", Sample.observed(bound, ready, dying), "Save"),
                row("then let go", with(bound, ready, dying, HANDED), "LetGoOfSecret"),
                row("then made again", with(bound, ready, none, HANDED), "PutSecret"),
                row("deleted, access is revoked", Sample.observed(leaving, ready, ours), "Revoke"),
                row("also if it was never granted", Sample.observed(leaving, ready, none), "Revoke"),
                row(
                        "also if the Bucket is gone and the Secret tells",
                        Sample.observed(leaving, Optional.empty(), ours),
                        "Revoke"),
                row(
                        "if nothing tells, it is let go with a warning",
                        Sample.observed(leaving, Optional.empty(), none),
                        "Abandon"),
                row(
                        "then the Secret goes",
                        with(leaving, ready, ours, Recollection.none().withUndone()),
                        "DeleteSecret"),
                row(
                        "by both its steps",
                        with(leaving, ready, dying, Recollection.none().withUndone()),
                        "LetGoOfSecret"),
                row(
                        "then the access",
                        with(leaving, ready, none, Recollection.none().withUndone()),
                        "LetGo"),
                row(
                        "one that was Bound only after a look for a Secret without its label",
                        with(
                                leaving(bound(Sample.access(_ -> {}))),
                                ready,
                                none,
                                Recollection.none().withUndone()),
                        "Look"),
                row(
                        "without our finalizer it is not ours any more",
                        Sample.observed(
                                leaving(Sample.access(
                                        it -> it.getMetadata().setFinalizers(List.of(CosiNames.FINALIZER)))),
                                ready,
                                ours),
                        "rest"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("table")
    void decidesByTheTable(String rule, ObservedAccess observed, String expected) {
        assertThat(words(decision.decide(observed))).as(rule).isEqualTo(expected);
    }

    @Test
    void aRotationHappensWhenItsTimeHasComeAndOnce() {
        Optional<Bucket> ready = Optional.of(Sample.filled());
        BucketAccess due = rotating("2026-11-15T11:59:59Z");
        assertThat(decision.decide(Sample.observed(due, ready, Optional.of(Sample.secret(_ -> {})))))
                .isInstanceOfSatisfying(
                        Decision.Act.class,
                        act -> assertThat(((SidecarAccessStep.Grant) act.step()).rotateAt())
                                .isEqualTo("2026-11-15T11:59:59Z"));
        Secret rotated = Sample.secret(
                it -> it.getMetadata().setAnnotations(Map.of(CosiNames.ROTATED_AT, "2026-11-15T11:59:59Z")));
        assertThat(decision.decide(Sample.observed(due, ready, Optional.of(rotated))))
                .isEqualTo(Decision.done());
        assertThat(decision.decide(
                        Sample.observed(rotating("2026-11-15T12:01:00Z"), ready, Optional.of(Sample.secret(_ -> {})))))
                .isEqualTo(Decision.finish(Result.requeueAfter(Duration.ofMinutes(1))));
        assertThat(words(
                        decision.decide(Sample.observed(rotating("soon"), ready, Optional.of(Sample.secret(_ -> {}))))))
                .isEqualTo("Failed: InvalidRotateAt");
    }

    @Test
    void whatWasSaidIsTakenBackOnceAllIsWell() {
        BucketAccess access = Sample.access(it -> it.getMetadata()
                .setAnnotations(Map.of(CosiNames.PROVISIONER_REPORT, report(ProvisionerReason.INTERNAL_ERROR, "It failed."))));
        assertThat(words(decision.decide(
                        Sample.observed(access, Optional.of(Sample.filled()), Optional.of(Sample.secret(_ -> {}))))))
                .isEqualTo("nothing");
    }

    @Test
    void aDriverThatIsAwayIsWaitedForAndTheAccessSaysSoOnce() {
        DriverPreconditions away = new DriverPreconditions(new DriverState.Away("gone"), 1, Sample.WELL.secret());
        BucketAccess access = Sample.access(_ -> {});
        Decision<SidecarAccessStep> first = decision.decide(
                Sample.observed(access, Optional.of(Sample.filled()), Optional.empty(), away, Recollection.none()));
        assertThat(words(first)).isEqualTo("Retrying: DriverUnavailable");
        access.getMetadata()
                .setAnnotations(Map.of(CosiNames.PROVISIONER_REPORT, report(ProvisionerReason.DRIVER_UNAVAILABLE, "Another message.")));
        assertThat(decision.decide(Sample.observed(
                        access, Optional.of(Sample.filled()), Optional.empty(), away, Recollection.none())))
                .isEqualTo(Decision.done());
    }

    private static String words(Decision<SidecarAccessStep> decided) {
        return switch (decided) {
            case Decision.Finish<SidecarAccessStep> _ -> "rest";
            case Decision.Act<SidecarAccessStep>(SidecarAccessStep.Say say) ->
                say.trouble()
                        .map(trouble -> (trouble.untilChange() ? "Failed: " : "Retrying: ") + trouble.reason())
                        .orElse("nothing");
            case Decision.Act<SidecarAccessStep>(SidecarAccessStep step) -> step.getClass().getSimpleName();
        };
    }

    private static Arguments row(String rule, ObservedAccess observed, String expected) {
        return Arguments.of(rule, observed, expected);
    }

    private static ObservedAccess with(
            BucketAccess access, Optional<Bucket> bucket, Optional<Secret> secret, Recollection memory) {
        return Sample.observed(access, bucket, secret, Sample.WELL, memory);
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
        return Sample.access(it -> it.getMetadata().setAnnotations(Map.of(CosiNames.ROTATE_AT, at)));
    }

    private static String report(ProvisionerReason reason, String message) {
        return new ProvisionerReport(BucketAccessPhase.RETRYING, reason, message).encode();
    }
}
