package io.bucketwright.cosi.sidecar.buckets;

import io.bucketwright.api.cosi.ProvisionerReason;

import io.bucketwright.cosi.sidecar.Sample;

import io.bucketwright.cosi.sidecar.driver.Trouble;

import io.bucketwright.cosi.sidecar.driver.Failure;

import io.bucketwright.cosi.sidecar.driver.Recollection;

import io.bucketwright.cosi.sidecar.driver.Marks;

import io.bucketwright.cosi.sidecar.driver.ProvisionerSecret;

import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;

import io.bucketwright.cosi.sidecar.driver.DriverState;

import io.bucketwright.cosi.sidecar.driver.DriverMethod;





import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketPhase;
import io.bucketwright.api.cosi.BucketSpec;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SidecarBucketDecisionTest {

    private final SidecarBucketDecision decision = new SidecarBucketDecision();

    static Stream<Arguments> table() {
        JsonPatch fields = JsonPatch.empty().add("/spec/protocol/s3/endpoint", "http://store.test");
        Bucket unheld = Sample.bucket(spec -> spec);
        unheld.getMetadata().setFinalizers(List.of());
        return Stream.of(
                row("a new one is made", Sample.observed(Sample.bucket(spec -> spec)), "Create"),
                row("one without the controller's finalizer is not", Sample.observed(unheld), "rest"),
                row(
                        "what the driver answered is written down",
                        Sample.observed(
                                Sample.bucket(spec -> spec),
                                0,
                                Sample.WELL,
                                Recollection.none().withConnection(fields)),
                        "Fill"),
                row("a filled one rests", Sample.observed(Sample.filled()), "rest"),
                row("a bound one says so", Sample.observed(bound("Delete")), "Bound Bound"),
                row(
                        "a retained one that lost its last binding is Released",
                        Sample.observed(Sample.phased(retained(), BucketPhase.BOUND)),
                        "Released Released"),
                row("a retained one that was never bound is not", Sample.observed(retained()), "rest"),
                row(
                        "one to be destroyed stays Bound until it is deleted",
                        Sample.observed(Sample.phased(Sample.filled(), BucketPhase.BOUND)),
                        "rest"),
                row(
                        "an administrator's without an endpoint is never made",
                        Sample.observed(administrators("")),
                        "Creating MissingConnectionData"),
                row("deleted while bound, it waits", Sample.observed(leaving(bound("Delete"))), "Creating InUse"),
                row(
                        "deleted while accounts exist, it waits",
                        Sample.observed(leaving(Sample.filled()), 1, Sample.WELL, Recollection.none()),
                        "rest"),
                row("deleted, it says so first", Sample.observed(leaving(Sample.filled())), "Deleting Deleting"),
                row("then the driver deletes it", Sample.observed(deleting(Sample.filled())), "Delete"),
                row(
                        "also if nobody knows whether it was ever made",
                        Sample.observed(deleting(Sample.bucket(spec -> spec))),
                        "Delete"),
                row(
                        "then it is Deleted",
                        Sample.observed(
                                deleting(Sample.filled()),
                                0,
                                Sample.WELL,
                                Recollection.none().withUndone()),
                        "Deleted Deleted"),
                row("retained, it is Deleted and kept", Sample.observed(leaving(retained())), "Deleted Retained"),
                row(
                        "an administrator's is kept whatever its policy says",
                        Sample.observed(leaving(administrators("http://store.test"))),
                        "Deleted Retained"),
                row(
                        "Deleted, it rests",
                        Sample.observed(Sample.phased(leaving(Sample.filled()), BucketPhase.DELETED)),
                        "rest"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("table")
    void decidesByTheTable(String rule, ObservedBucket observed, String expected) {
        assertThat(words(decision.decide(observed))).as(rule).isEqualTo(expected);
    }

    static Stream<Arguments> obstacles() {
        ProvisionerSecret none = new ProvisionerSecret.Usable("", Map.of());
        return Stream.of(
                Arguments.of(new DriverState.Away("gone"), none, "DriverUnavailable"),
                Arguments.of(new DriverState.Unfit("another"), none, "DriverIncompatible"),
                Arguments.of(new DriverState.Fit(DataProtocol.GCS), none, "InvalidProtocol"),
                Arguments.of(
                        new DriverState.Fit(DataProtocol.S3),
                        new ProvisionerSecret.Unusable("not there"),
                        "InvalidProvisionerSecret"));
    }

    @ParameterizedTest
    @MethodSource("obstacles")
    void whatStandsInTheWayOfACallIsSaidAndThePhaseStays(DriverState driver, ProvisionerSecret secret, String reason) {
        DriverPreconditions around = new DriverPreconditions(driver, 1, secret);
        assertThat(words(decision.decide(Sample.observed(Sample.bucket(spec -> spec), 0, around, Recollection.none()))))
                .isEqualTo("Creating " + reason);
        assertThat(words(decision.decide(Sample.observed(deleting(Sample.filled()), 0, around, Recollection.none()))))
                .isEqualTo("Deleting " + reason);
    }

    @Test
    void aFailureHoldsUntilItsTimeOrUntilSomethingChanges() {
        Bucket bucket = Sample.bucket(spec -> spec);
        String inputs = Marks.inputs(bucket) + " " + Sample.WELL.inputs();
        Recollection passing = failed(inputs, false, 10);
        assertThat(words(decision.decide(Sample.observed(bucket, 0, Sample.WELL, passing))))
                .isEqualTo("Creating InternalError");
        assertThat(words(decision.decide(Sample.observed(bucket, 0, Sample.WELL, failed(inputs, false, -1)))))
                .isEqualTo("Create");
        assertThat(words(decision.decide(Sample.observed(bucket, 0, Sample.WELL, failed(inputs, true, -1)))))
                .isEqualTo("Creating InternalError");
        DriverPreconditions reconnected = new DriverPreconditions(Sample.WELL.driver(), 2, Sample.WELL.secret());
        assertThat(words(decision.decide(Sample.observed(bucket, 0, reconnected, failed(inputs, true, 10)))))
                .isEqualTo("Create");
        DriverPreconditions newSecret = new DriverPreconditions(Sample.WELL.driver(), 1, new ProvisionerSecret.Usable("2", Map.of()));
        assertThat(words(decision.decide(Sample.observed(bucket, 0, newSecret, failed(inputs, true, 10)))))
                .isEqualTo("Create");
    }

    @Test
    void whatIsSaidAlreadyIsNotSaidAgainAndTheKeyComesBackInTime() {
        Bucket bucket = Sample.bucket(spec -> spec);
        String inputs = Marks.inputs(bucket) + " " + Sample.WELL.inputs();
        Recollection memory = failed(inputs, false, 10);
        BucketStatusUpdate said = BucketStatusUpdate.trouble(
                BucketPhase.CREATING, Trouble.passing(DriverMethod.CREATE_BUCKET, ProvisionerReason.INTERNAL_ERROR, "Another text."));
        bucket.setStatus(new io.bucketwright.api.cosi.CosiStatus(
                "Creating", "", List.of(said.condition(bucket, Sample.NOW)), null));
        assertThat(decision.decide(Sample.observed(bucket, 0, Sample.WELL, memory)))
                .isEqualTo(Decision.finish(Result.requeueAfter(Duration.ofSeconds(10))));
    }

    private static Recollection failed(String inputs, boolean untilChange, int seconds) {
        Trouble trouble = new Trouble("FailedCreateBucket", ProvisionerReason.INTERNAL_ERROR, "It failed.", untilChange);
        return Recollection.none()
                .withFailure(
                        new Failure(DriverMethod.CREATE_BUCKET, trouble, inputs, 1, Sample.NOW.plusSeconds(seconds)));
    }

    private static String words(Decision<SidecarBucketStep> decided) {
        return switch (decided) {
            case Decision.Finish<SidecarBucketStep> _ -> "rest";
            case Decision.Act<SidecarBucketStep>(SidecarBucketStep.Say say) ->
                say.said().phase().text() + " " + say.said().reason();
            case Decision.Act<SidecarBucketStep>(SidecarBucketStep step) -> step.getClass().getSimpleName();
        };
    }

    private static Arguments row(String rule, ObservedBucket observed, String expected) {
        return Arguments.of(rule, observed, expected);
    }

    private static Bucket bound(String policy) {
        return Sample.bucket(spec -> spec.protocol(Sample.protocol("http://store.test"))
                .releasePolicy(policy)
                .bindings(List.of("a:b/c")));
    }

    private static Bucket retained() {
        return Sample.bucket(
                spec -> spec.protocol(Sample.protocol("http://store.test")).releasePolicy("Retain"));
    }

    private static Bucket administrators(String endpoint) {
        return Sample.bucket(_ -> BucketSpec.builder()
                .provisioner(Sample.PROVISIONER.toString())
                .releasePolicy("Delete")
                .protocol(Sample.protocol(endpoint)));
    }

    private static Bucket leaving(Bucket bucket) {
        bucket.getMetadata().setDeletionTimestamp("2026-11-15T11:00:00Z");
        return bucket;
    }

    private static Bucket deleting(Bucket bucket) {
        return Sample.phased(leaving(bucket), BucketPhase.DELETING);
    }

    @Test
    void nothingIsDoneForABucketThatIsGoneOrAnothers() {
        Bucket bucket = Sample.filled();
        ObservedBucket gone = new ObservedBucket(
                Sample.observed(bucket).key(), Optional.empty(), 0, Sample.WELL, Recollection.none(), Sample.NOW);
        assertThat(decision.decide(gone)).isEqualTo(Decision.done());
    }
}
