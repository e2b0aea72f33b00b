package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketProtocol;
import io.bucketwright.api.cosi.BucketProtocol.S3Bucket;
import io.bucketwright.api.cosi.BucketSpec;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.CosiStatus;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.cosi.fixture.Specs;
import io.bucketwright.cosi.sidecar.SidecarBucketObservation.Accesses;
import io.bucketwright.cosi.sidecar.SidecarBucketState.Answer;
import io.bucketwright.cosi.sidecar.driver.CreatedBucket;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.cosi.sidecar.driver.ProvisionerSecret;
import io.bucketwright.cosi.sidecar.driver.SidecarSamples;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.status.ReadyCondition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SidecarBucketDecisionTest {

    private static final SidecarBucketState DELETED = SidecarBucketState.of(Answer.DELETED);

    static Stream<Arguments> table() {
        JsonPatch fields = JsonPatch.empty().add("/spec/protocol/s3/endpoint", "http://store.test");
        Bucket withoutFinalizer = newBucket();
        withoutFinalizer.getMetadata().setFinalizers(List.of());
        return Stream.of(
                arguments("a new Bucket is created", observed(newBucket()), "CREATE_BUCKET"),
                arguments("not without the controller's finalizer", observed(withoutFinalizer), "finish"),
                arguments(
                        "connection data is written",
                        observed(newBucket(), 0, SidecarBucketState.created(fields)),
                        "WriteConnection"),
                arguments("a created Bucket needs nothing", observed(SidecarSamples.created()), "finish"),
                arguments("a binding is reported", observed(bound("Delete")), "Bound Bound"),
                arguments(
                        "with Retain, the end of the last binding is reported",
                        observed(SidecarSamples.withPhase(retained(), BucketPhase.BOUND)),
                        "Released Released"),
                arguments("not if the Bucket was never bound", observed(retained()), "finish"),
                arguments(
                        "with Delete, the phase stays Bound until the deletion",
                        observed(SidecarSamples.withPhase(SidecarSamples.created(), BucketPhase.BOUND)),
                        "finish"),
                arguments(
                        "a Bucket of an administrator without endpoint exists, and is not created",
                        observed(administrators("")),
                        "finish"),
                arguments(
                        "without a name it stands for no bucket",
                        observed(administrators("", "")),
                        "Creating MissingBucketName"),
                arguments(
                        "anonymous access to an administrator's bucket is not applied, and that is reported",
                        observed(anonymous(administrators("http://store.test"))),
                        "Creating Created"),
                arguments(
                        "a retained bucket that is open to anonymous clients is closed first",
                        observed(SidecarSamples.withPhase(anonymous(retained()), BucketPhase.BOUND)),
                        "ChangeAccess"),
                arguments(
                        "also if an administrator deletes the Bucket",
                        observed(beingDeleted(anonymous(retained()))),
                        "ChangeAccess"),
                arguments(
                        "a released Bucket is closed already",
                        observed(beingDeleted(SidecarSamples.withPhase(anonymous(retained()), BucketPhase.RELEASED))),
                        "Deleted Retained"),
                arguments(
                        "an administrator's bucket is as the administrator left it",
                        observed(beingDeleted(anonymous(administrators("http://store.test")))),
                        "Deleted Retained"),
                arguments(
                        "a binding opens the bucket again",
                        observed(SidecarSamples.withPhase(anonymous(bound("Retain")), BucketPhase.RELEASED)),
                        "ChangeAccess"),
                arguments(
                        "a bucket that is open already is not opened again",
                        observed(SidecarSamples.withPhase(anonymous(bound("Retain")), BucketPhase.CREATING)),
                        "Bound Bound"),
                arguments("a requested transfer is a check", observed(transferred(bound("Delete"))), "CREATE_BUCKET"),
                arguments(
                        "a bucket of this cluster is not transferred",
                        observed(transferred(bound("Delete")), 0, SidecarBucketState.created(fields)),
                        "RejectTransfer"),
                arguments(
                        "a bucket of another cluster is recorded first",
                        observed(transferred(bound("Delete")), 0, SidecarBucketState.of(Answer.ELSEWHERE)),
                        "ConfirmTransfer"),
                arguments(
                        "a confirmed transfer is a call",
                        observed(confirmed(bound("Delete"), "former")),
                        "CREATE_BUCKET"),
                arguments(
                        "its success is recorded",
                        observed(confirmed(bound("Delete"), "former"), 0, SidecarBucketState.created(fields)),
                        "RecordTransfer"),
                arguments(
                        "a transfer from another cluster confirms nothing",
                        observed(confirmed(bound("Delete"), "a-third-cluster"), 0, SidecarBucketState.created(fields)),
                        "RejectTransfer"),
                arguments(
                        "an administrator's bucket has no tags to transfer",
                        observed(transferred(administrators("http://store.test"))),
                        "finish"),
                arguments("deletion waits for bindings", observed(beingDeleted(bound("Delete"))), "Creating InUse"),
                arguments(
                        "deletion waits for accounts",
                        observed(beingDeleted(SidecarSamples.created()), 1, SidecarBucketState.NONE),
                        "finish"),
                arguments(
                        "deletion is reported first",
                        observed(beingDeleted(SidecarSamples.created())),
                        "Deleting Deleting"),
                arguments("then the driver is called", observed(deleting(SidecarSamples.created())), "DELETE_BUCKET"),
                arguments("also if the bucket may not exist", observed(deleting(newBucket())), "DELETE_BUCKET"),
                arguments(
                        "then it is Deleted",
                        observed(deleting(SidecarSamples.created()), 0, DELETED),
                        "Deleted Deleted"),
                arguments(
                        "with Retain a bucket that was never usable is deleted",
                        observed(deleting(SidecarSamples.bucket(spec -> Specs.with(spec, "releasePolicy", "Retain")))),
                        "DELETE_BUCKET"),
                arguments("with Retain the bucket stays", observed(beingDeleted(retained())), "Deleted Retained"),
                arguments(
                        "an administrator's bucket stays with every policy",
                        observed(beingDeleted(administrators("http://store.test"))),
                        "Deleted Retained"),
                arguments(
                        "phase Deleted is final",
                        observed(SidecarSamples.withPhase(beingDeleted(SidecarSamples.created()), BucketPhase.DELETED)),
                        "finish"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("table")
    void decidesByTheTable(String rule, SidecarBucketObservation observed, String expected) {
        assertThat(text(SidecarBucketDecision.decide(observed))).as(rule).isEqualTo(expected);
    }

    static Stream<Arguments> obstacles() {
        ProvisionerSecret none = new ProvisionerSecret.Usable("", Map.of());
        return Stream.of(
                arguments(new DriverState.Unavailable("down"), none, "DriverNotConnected"),
                arguments(new DriverState.Incompatible("another"), none, "DriverIncompatible"),
                arguments(new DriverState.Ready("cosi.v1", false, Set.of(Protocol.GCS)), none, "InvalidProtocol"),
                arguments(
                        new DriverState.Ready("cosi.v1", false, Set.of(Protocol.S3)),
                        new ProvisionerSecret.Unusable("missing"),
                        "InvalidProvisionerSecret"));
    }

    @ParameterizedTest
    @MethodSource("obstacles")
    void aBucketThatNeverReachedTheStoreIsDeletedWithoutTheDriver(DriverState driver, ProvisionerSecret secret) {
        DriverPreconditions preconditions = new DriverPreconditions(driver, 1, secret);
        Bucket never = beingDeleted(newBucket());
        assertThat(text(SidecarBucketDecision.decide(observed(never, preconditions, Optional.empty()))))
                .isEqualTo("Deleted Deleted");

        Bucket failed = newBucket();
        FailedAttempt failure = failed(SidecarSamples.READY.inputs(failed), true, 10);
        Decision<SidecarBucketStep> reported =
                SidecarBucketDecision.decide(observed(failed, SidecarSamples.READY, Optional.of(failure)));
        if (!(reported
                instanceof
                Decision.Act<SidecarBucketStep>(SidecarBucketStep.UpdateStatus(Bucket _, BucketStatusUpdate update)))) {
            throw new AssertionError(text(reported));
        }
        failed.setStatus(new CosiStatus("Creating", "", update.conditions(failed, SidecarSamples.NOW), null));
        assertThat(text(SidecarBucketDecision.decide(observed(beingDeleted(failed), preconditions, Optional.empty()))))
                .as("after a failed call the bucket may exist")
                .isEqualTo("Deleting Deleting");
    }

    @Test
    void nothingIsReportedBeforeTheFirstAttemptToConnectEnds() {
        DriverPreconditions connecting =
                new DriverPreconditions(new DriverState.Connecting(), 0, SidecarSamples.READY.secret());
        assertThat(SidecarBucketDecision.decide(observed(newBucket(), connecting, Optional.empty())))
                .isEqualTo(Decision.finish(Result.pending()));
    }

    @Test
    void aDriverThatIsNotConnectedYetGetsTimeToDeleteWhatAFormerProcessMayHaveCreated() {
        DriverPreconditions starting =
                new DriverPreconditions(new DriverState.Unavailable("down"), 1, SidecarSamples.READY.secret());
        Bucket bucket = beingDeleted(newBucket());
        bucket.getMetadata()
                .setDeletionTimestamp(SidecarSamples.NOW.minusSeconds(350).toString());
        assertThat(SidecarBucketDecision.decide(observed(bucket, starting, Optional.empty())))
                .isEqualTo(Decision.finish(Result.requeueAfter(Duration.ofSeconds(10))));
        DriverPreconditions incompatible =
                new DriverPreconditions(new DriverState.Incompatible("another"), 1, SidecarSamples.READY.secret());
        assertThat(text(SidecarBucketDecision.decide(observed(bucket, incompatible, Optional.empty()))))
                .isEqualTo("Deleted Deleted");
    }

    @ParameterizedTest
    @MethodSource("obstacles")
    void reportsWhyNoCallCanBeMadeAndKeepsThePhase(DriverState driver, ProvisionerSecret secret, String reason) {
        DriverPreconditions preconditions = new DriverPreconditions(driver, 1, secret);
        assertThat(text(SidecarBucketDecision.decide(observed(newBucket(), preconditions, Optional.empty()))))
                .isEqualTo("Creating " + reason);
        assertThat(text(SidecarBucketDecision.decide(
                        observed(deleting(SidecarSamples.created()), preconditions, Optional.empty()))))
                .isEqualTo("Deleting " + reason);
    }

    @Test
    void aFailedAttemptBlocksTheNextUntilItsTimeOrUntilAnInputChanges() {
        String inputs = SidecarSamples.READY.inputs(newBucket());
        DriverState ready = SidecarSamples.READY.driver();
        assertThat(afterFailure(SidecarSamples.READY, failed(inputs, true, 10))).isEqualTo("Creating InternalError");
        assertThat(afterFailure(SidecarSamples.READY, failed(inputs, true, 0))).isEqualTo("CREATE_BUCKET");
        assertThat(afterFailure(SidecarSamples.READY, failed(inputs, false, 0))).isEqualTo("Creating InternalError");
        DriverPreconditions reconnected = new DriverPreconditions(ready, 2, SidecarSamples.READY.secret());
        assertThat(afterFailure(reconnected, failed(inputs, true, 10)))
                .as("a driver that crashes in the call reconnects")
                .isEqualTo("Creating InternalError");
        assertThat(afterFailure(reconnected, failed(inputs, false, 10))).isEqualTo("Creating InternalError");
        assertThat(afterFailure(reconnected, failed(inputs, false, 0))).isEqualTo("CREATE_BUCKET");
        DriverPreconditions newSecret = new DriverPreconditions(ready, 1, new ProvisionerSecret.Usable("2", Map.of()));
        assertThat(afterFailure(newSecret, failed(inputs, false, 10))).isEqualTo("CREATE_BUCKET");
    }

    @Test
    void aReportedProblemIsNotReportedAgainAndTheKeyIsRequeued() {
        Bucket bucket = newBucket();
        FailedAttempt failure = failed(SidecarSamples.READY.inputs(bucket), true, 10);
        ReadyCondition reported = ReadyCondition.of(Problem.retryable("InternalError", "Another text."));
        bucket.setStatus(new CosiStatus(
                "Creating",
                "",
                new BucketStatusUpdate(BucketPhase.CREATING, reported, "", true).conditions(bucket, SidecarSamples.NOW),
                null));
        assertThat(SidecarBucketDecision.decide(observed(bucket, SidecarSamples.READY, Optional.of(failure))))
                .isEqualTo(Decision.finish(Result.requeueAfter(Duration.ofSeconds(10))));
    }

    @Test
    void nothingIsDoneForABucketThatDoesNotExistOrBelongsToAnotherProvisioner() {
        SidecarBucketObservation observed = new SidecarBucketObservation(
                Optional.empty(),
                Accesses.NONE,
                SidecarSamples.READY,
                SidecarBucketState.NONE,
                Optional.empty(),
                SidecarSamples.NOW);
        assertThat(SidecarBucketDecision.decide(observed)).isEqualTo(Decision.done());
    }

    @Test
    void aDeletionThatWaitsForAnAccessWhichStaysIsReported() {
        Bucket bucket = SidecarSamples.created();
        bucket.getMetadata().setDeletionTimestamp("2026-11-15T11:00:00Z");
        assertThat(text(SidecarBucketDecision.decide(new SidecarBucketObservation(
                        Optional.of(bucket),
                        new Accesses(1, 1, Optional.empty()),
                        SidecarSamples.READY,
                        SidecarBucketState.NONE,
                        Optional.empty(),
                        SidecarSamples.NOW))))
                .contains("InUse");
        assertThat(SidecarBucketDecision.decide(new SidecarBucketObservation(
                        Optional.of(bucket),
                        new Accesses(1, 0, Optional.empty()),
                        SidecarSamples.READY,
                        SidecarBucketState.NONE,
                        Optional.empty(),
                        SidecarSamples.NOW)))
                .as("an access that is being deleted needs no report")
                .isEqualTo(Decision.done());
    }

    @Test
    void whatAnAdministratorLeftOutComesFromTheSecretOfTheFirstAccess() {
        Accesses granted = granted(Map.of("BUCKET_ENDPOINT", "https://s3.test", "BUCKET_REGION", "north"));
        assertThat(SidecarBucketDecision.decide(observed(administrators(""), granted)))
                .isInstanceOfSatisfying(
                        Decision.Act.class,
                        act -> assertThat(act.step())
                                .isInstanceOfSatisfying(
                                        SidecarBucketStep.WriteConnection.class,
                                        write -> assertThat(write.patch().toString())
                                                .contains("/spec/protocol/s3/endpoint", "https://s3.test")
                                                .contains("/spec/protocol/s3/region", "north")));
        assertThat(text(SidecarBucketDecision.decide(observed(administrators("http://store.test"), granted))))
                .as("what an administrator wrote stays")
                .isEqualTo("finish");
        assertThat(text(SidecarBucketDecision.decide(observed(administrators(""), granted(Map.of())))))
                .as("a driver that does not say it leaves it open")
                .isEqualTo("finish");
    }

    @Test
    void aRetainedBucketIsReleasedWhenTheDriverHasClosedIt() {
        Bucket bucket = SidecarSamples.withPhase(anonymous(retained()), BucketPhase.BOUND);
        assertThat(text(SidecarBucketDecision.decide(observed(bucket, 0, SidecarBucketState.of(Answer.CLOSED)))))
                .isEqualTo("Released Released");
        assertThat(text(SidecarBucketDecision.decide(
                        observed(beingDeleted(bucket), 0, SidecarBucketState.of(Answer.CLOSED)))))
                .isEqualTo("Deleted Retained");
        Bucket again = SidecarSamples.withPhase(anonymous(bound("Retain")), BucketPhase.RELEASED);
        assertThat(text(SidecarBucketDecision.decide(observed(again, 0, SidecarBucketState.of(Answer.CLOSED)))))
                .isEqualTo("ChangeAccess");
        assertThat(text(SidecarBucketDecision.decide(observed(again, 0, SidecarBucketState.of(Answer.OPENED)))))
                .isEqualTo("Bound Bound");
    }

    @Test
    void aBucketThatTheDriverDoesNotCloseIsNotReportedAsReleased() {
        Bucket bucket = SidecarSamples.withPhase(anonymous(retained()), BucketPhase.BOUND);
        FailedAttempt failure = failed(SidecarSamples.READY.inputs(bucket), true, 10);
        assertThat(text(SidecarBucketDecision.decide(observed(bucket, SidecarSamples.READY, Optional.of(failure)))))
                .isEqualTo("Bound InternalError");
    }

    @Test
    void aBucketThatAParameterOfTheClassMayHaveOpenedIsClosedToo() {
        Bucket bucket = SidecarSamples.withPhase(retained(), BucketPhase.BOUND);
        bucket.setSpec(Specs.with(bucket.getSpec(), "parameters", Map.of("cannedAcl", "public-read")));
        assertThat(text(SidecarBucketDecision.decide(observed(bucket)))).isEqualTo("ChangeAccess");
    }

    private static Accesses granted(Map<String, String> connection) {
        return new Accesses(1, 1, Optional.of(new CreatedBucket(Optional.empty(), connection)));
    }

    private static SidecarBucketObservation observed(Bucket bucket, Accesses accesses) {
        return new SidecarBucketObservation(
                Optional.of(bucket),
                accesses,
                SidecarSamples.READY,
                SidecarBucketState.NONE,
                Optional.empty(),
                SidecarSamples.NOW);
    }

    private String afterFailure(DriverPreconditions preconditions, FailedAttempt failure) {
        return text(SidecarBucketDecision.decide(observed(newBucket(), preconditions, Optional.of(failure))));
    }

    private static FailedAttempt failed(String inputs, boolean retried, int seconds) {
        Problem problem = retried
                ? Problem.retryable("InternalError", "It failed.")
                : Problem.requiresChange("InternalError", "It failed.");
        return new FailedAttempt(DriverMethod.CREATE_BUCKET, inputs, problem, 1, Duration.ofSeconds(seconds));
    }

    private static Bucket transferred(Bucket bucket) {
        bucket.getMetadata().setAnnotations(Map.of(CosiNames.TRANSFER_FROM, "former"));
        return bucket;
    }

    private static Bucket confirmed(Bucket bucket, String cluster) {
        bucket.getMetadata()
                .setAnnotations(Map.of(CosiNames.TRANSFER_FROM, "former", CosiNames.TRANSFERRED_FROM, cluster));
        return bucket;
    }

    private static String text(Decision<SidecarBucketStep> decided) {
        return switch (decided) {
            case Decision.Finish<SidecarBucketStep> _ -> "finish";
            case Decision.Act<SidecarBucketStep>(SidecarBucketStep.UpdateStatus(Bucket _, BucketStatusUpdate update)) ->
                update.phase().text() + " " + update.condition().reason();
            case Decision.Act<SidecarBucketStep>(SidecarBucketStep.CallDriver call) ->
                call.method().name();
            case Decision.Act<SidecarBucketStep>(SidecarBucketStep step) ->
                step.getClass().getSimpleName();
        };
    }

    private static SidecarBucketObservation observed(Bucket bucket) {
        return observed(bucket, 0, SidecarBucketState.NONE);
    }

    private static SidecarBucketObservation observed(Bucket bucket, long accesses, SidecarBucketState inFlight) {
        return new SidecarBucketObservation(
                Optional.of(bucket),
                new Accesses(accesses, 0, Optional.empty()),
                SidecarSamples.READY,
                inFlight,
                Optional.empty(),
                SidecarSamples.NOW);
    }

    private static SidecarBucketObservation observed(
            Bucket bucket, DriverPreconditions preconditions, Optional<FailedAttempt> failure) {
        return new SidecarBucketObservation(
                Optional.of(bucket),
                Accesses.NONE,
                preconditions,
                SidecarBucketState.NONE,
                failure,
                SidecarSamples.NOW);
    }

    private static Bucket newBucket() {
        return SidecarSamples.bucket(spec -> spec);
    }

    private static Bucket bound(String policy) {
        return SidecarSamples.bucket(spec -> Specs.with(
                spec,
                "protocol",
                SidecarSamples.protocol("http://store.test"),
                "releasePolicy",
                policy,
                "bindings",
                List.of("a:b/c")));
    }

    private static Bucket retained() {
        return SidecarSamples.bucket(spec ->
                Specs.with(spec, "protocol", SidecarSamples.protocol("http://store.test"), "releasePolicy", "Retain"));
    }

    private static Bucket administrators(String endpoint) {
        return administrators(endpoint, "photos-1");
    }

    private static Bucket administrators(String endpoint, String name) {
        return SidecarSamples.bucket(_ -> Specs.of(
                BucketSpec.class,
                "provisioner",
                SidecarSamples.PROVISIONER.toString(),
                "releasePolicy",
                "Delete",
                "protocol",
                new BucketProtocol("s3", null, new S3Bucket(endpoint, name, "", ""), null)));
    }

    private static Bucket anonymous(Bucket bucket) {
        bucket.setSpec(Specs.with(bucket.getSpec(), "anonymousAccessMode", "ro"));
        return bucket;
    }

    private static Bucket beingDeleted(Bucket bucket) {
        bucket.getMetadata().setDeletionTimestamp("2026-11-15T11:00:00Z");
        return bucket;
    }

    private static Bucket deleting(Bucket bucket) {
        return SidecarSamples.withPhase(beingDeleted(bucket), BucketPhase.DELETING);
    }
}
