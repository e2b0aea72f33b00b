package io.bucketwright.buckets.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.BucketClassRef;
import io.bucketwright.api.BucketEndpoint;
import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.api.ReclaimPolicy;
import io.bucketwright.buckets.claims.ClaimStep.ReleaseMode;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.requests.RequestedBucket;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ClaimDecisionTest {

    private static ObjectBucketClaimSpec.Builder photos() {
        return ObjectBucketClaimSpec.builder().storageClassName("fast").generateBucketName("photos");
    }

    @Test
    void aClaimBindsInSevenWritesAndGoesInEight() {
        World world = new World(Map.of());
        world.claim(photos());
        assertThat(world.settle()).isEqualTo(Result.done());
        assertThat(world.writes).isEqualTo(7);
        world.delete("claim");
        world.settle();
        assertThat(world.writes).isEqualTo(15);
        assertThat(world.objects).isEmpty();
    }

    static Stream<Arguments> classesThatAreNoneOfOurBusiness() {
        return Stream.of(Arguments.of(new ObservedClass.NotServed()), Arguments.of(new ObservedClass.Missing("late")));
    }

    @ParameterizedTest
    @MethodSource("classesThatAreNoneOfOurBusiness")
    void whatIsNotOursIsLeftWithoutAStep(ObservedClass bucketClass) {
        World world = new World(Map.of());
        world.claim(photos());
        world.bucketClass = bucketClass;
        assertThat(world.settle()).isEqualTo(Result.done());
        assertThat(world.writes).isZero();
        assertThat(world.store.calls()).isEmpty();
    }

    static Stream<Arguments> claimsThatCannotWork() {
        return Stream.of(
                Arguments.of("no name at all", Map.of(), base(), "Invalid", "needs a name"),
                Arguments.of("bad name", Map.of(), base().bucketName("Not_A_Name"), "Invalid", "Not_A_Name"),
                Arguments.of("bad prefix", Map.of(), base().generateBucketName("_x"), "Invalid", "_x"),
                Arguments.of(
                        "a name where the class has one",
                        Map.of("bucketName", "shared-data"),
                        base().bucketName("mine-alone"),
                        "Invalid",
                        "existing bucket"),
                Arguments.of(
                        "another namespace's class",
                        Map.of("allowedNamespaces", "others-*"),
                        photos(),
                        "NamespaceNotAllowed",
                        "team"),
                Arguments.of(
                        "an unknown option",
                        Map.of(),
                        photos().additionalConfig(Map.of("bucketOwner", "me")),
                        "Invalid",
                        "bucketOwner"),
                Arguments.of(
                        "an option that the class does not allow",
                        Map.of(),
                        photos().cannedBucketACL("public-read"),
                        "Invalid",
                        "cannedAcl"),
                Arguments.of(
                        "options on an existing bucket",
                        Map.of("bucketName", "shared-data"),
                        base().additionalConfig(Map.of("maxObjects", "1")),
                        "Invalid",
                        "existing bucket"),
                Arguments.of(
                        "two spellings that differ",
                        Map.of(),
                        photos().ssl(true).sslUpperCase(false),
                        "Invalid",
                        "SSL"));
    }

    private static ObjectBucketClaimSpec.Builder base() {
        return ObjectBucketClaimSpec.builder().storageClassName("fast");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("claimsThatCannotWork")
    void aClaimThatCannotWorkIsToldWhyOnceAndTheStoreIsNotCalled(
            String what,
            Map<String, String> parameters,
            ObjectBucketClaimSpec.Builder spec,
            String reason,
            String word) {
        World world = new World(parameters);
        world.claim(spec);
        Result result = world.settle();
        assertThat(result).isInstanceOf(Result.RequiresChange.class);
        ObjectBucketClaim claim = Objects.requireNonNull(world.claim());
        assertThat(claim.phase()).isEqualTo(Phase.FAILED);
        assertThat(Objects.requireNonNull(claim.getStatus()).condition("Ready").orElseThrow())
                .satisfies(ready -> {
                    assertThat(ready.getReason()).isEqualTo(reason);
                    assertThat(ready.getMessage()).contains(word);
                });
        assertThat(world.writes).as("the status, and nothing else").isEqualTo(1);
        assertThat(world.store.calls()).isEmpty();
        world.settle();
        assertThat(world.writes).isEqualTo(1);
        world.delete("claim");
        world.settle();
        assertThat(world.objects).isEmpty();
    }

    @Test
    void theWholeNameWinsOverThePrefixAsTheDocumentSays() {
        World world = new World(Map.of());
        world.claim(photos().bucketName("exactly-this"));
        world.settle();
        assertThat(world.store.names()).containsExactly("exactly-this");
    }

    @Test
    void aMadeUpNameIsTheSameAfterACrashAndNobodyElseCanClaimToHaveIt() {
        World world = new World(Map.of());
        world.claim(photos());
        world.dieAt(1, true);
        world.reconcile();
        String written =
                Objects.requireNonNull(world.claim()).getSpec().bucket().orElseThrow();
        world.settle();
        assertThat(world.store.names()).containsExactly(written);
        assertThat(RequestedBucket.naming(written, World.UID, "cluster-1")).hasToString("GENERATED");
        assertThat(RequestedBucket.naming(written, "another-uid", "cluster-1")).hasToString("GIVEN");
    }

    static Stream<Arguments> endings() {
        List<Arguments> rows = new ArrayList<>();
        Map<ReclaimPolicy, ReleaseMode> ofNew = Map.of(
                ReclaimPolicy.DELETE, ReleaseMode.DELETE,
                ReclaimPolicy.RETAIN, ReleaseMode.RETAIN,
                ReclaimPolicy.ERASE, ReleaseMode.ERASE,
                ReclaimPolicy.SUSPEND, ReleaseMode.SUSPEND);
        ofNew.forEach((policy, mode) -> {
            rows.add(Arguments.of(BucketOrigin.NEW, Map.of(), policy, mode));
            rows.add(Arguments.of(BucketOrigin.EXISTING, Map.of("bucketName", "b-1"), policy, ReleaseMode.REVOKE));
            rows.add(Arguments.of(BucketOrigin.EXISTING, Map.of("adopt", "b-*"), policy, ReleaseMode.UNADOPT));
        });
        return rows.stream();
    }

    @ParameterizedTest
    @MethodSource("endings")
    void howABucketIsLetGoOfFollowsTheIntentAndExistingBucketsAreNeverDestroyed(
            BucketOrigin origin, Map<String, String> parameters, ReclaimPolicy policy, ReleaseMode mode) {
        BucketIntent intent = BucketIntent.of(
                "test.io/bucket",
                new BucketClassRef("fast", "class-1", parameters),
                new ObjectReferenceBuilder()
                        .withNamespace("team")
                        .withName("mine")
                        .withUid(World.UID)
                        .build(),
                origin,
                "b-1",
                policy);
        assertThat(DeletedClaimDecision.mode(intent)).isEqualTo(mode);
    }

    @Test
    void anIntentOfATomorrowsReleaseIsLeftAloneAliveAndLeaving() {
        World world = new World(Map.of());
        world.claim(photos());
        world.settle();
        BucketIntent intent = Objects.requireNonNull(world.bucket())
                .getSpec()
                .recordedIntent()
                .orElseThrow();
        BucketIntent newer = new BucketIntent(
                99,
                intent.provisioner(),
                intent.storageClassName(),
                intent.storageClassUid(),
                intent.parameters(),
                intent.origin(),
                intent.bucketName(),
                intent.reclaimPolicy(),
                intent.claimNamespace(),
                intent.claimName(),
                intent.claimUid(),
                Map.of());
        Objects.requireNonNull(world.bucket())
                .setSpec(Objects.requireNonNull(world.bucket()).getSpec().toBuilder()
                        .intent(newer)
                        .build());
        int calls = world.store.calls().size();
        assertThat(world.settle()).isInstanceOf(Result.RequiresChange.class);
        world.delete("claim");
        assertThat(world.settle()).isInstanceOf(Result.RequiresChange.class);
        assertThat(world.store.calls()).hasSize(calls);
        assertThat(world.store.names()).hasSize(1);
        assertThat(world.objects).hasSize(4);
    }

    @Test
    void aBucketThatOthersShareIsNotDestroyedAndTheClaimCountsThemWithoutNames() {
        World world = new World(Map.of());
        world.claim(photos());
        world.settle();
        world.sharers = 2;
        world.delete("claim");
        assertThat(world.settle()).isInstanceOf(Result.RequiresChange.class);
        assertThat(Objects.requireNonNull(Objects.requireNonNull(world.claim()).getStatus())
                        .condition("Ready")
                        .orElseThrow()
                        .getMessage())
                .contains("2 other claim(s)");
        assertThat(world.store.count("delete")).isZero();
        world.sharers = 0;
        world.settle();
        assertThat(world.objects).isEmpty();
    }

    @Test
    void aBucketThatIsGoneFromTheStoreDoesNotHoldUpItsClaim() {
        World world = new World(Map.of());
        world.claim(photos());
        world.settle();
        world.store.names().forEach(world.store::drop);
        world.delete("claim");
        world.settle();
        assertThat(world.objects).as("rook#6300").isEmpty();
    }

    @Test
    void aLostBucketIsNotMadeAgainBehindItsOwnersBack() {
        World world = new World(Map.of());
        world.claim(photos());
        world.settle();
        world.store.names().forEach(world.store::drop);
        world.objects.remove("secret");
        assertThat(world.reconcile()).isInstanceOf(Result.RequeueAfter.class);
        assertThat(Objects.requireNonNull(Objects.requireNonNull(world.claim()).getStatus())
                        .condition("Ready")
                        .orElseThrow()
                        .getReason())
                .isEqualTo("BucketNotFound");
        assertThat(world.store.names()).isEmpty();
    }

    @Test
    void noStepPrintsASecret() {
        World world = new World(Map.of());
        world.claim(photos());
        ClaimDecision decision = new ClaimDecision(world.settings);
        world.dieAt(4, false);
        world.reconcile();
        String seen = world.observe().toString() + decision.decide(world.observe());
        assertThat(seen).doesNotContain("secret-").doesNotContain("c2VjcmV0");
        assertThat(decision.decide(world.observe())).isInstanceOf(Decision.Act.class);
    }

    @Test
    void anUnusableClassIsToldOnTheClaim() {
        World world = new World(Map.of());
        world.claim(photos());
        world.bucketClass = new ObservedClass.Unusable("fast", "parameter onNotEmpty: \"x\" must be block or purge");
        world.settle();
        assertThat(Objects.requireNonNull(Objects.requireNonNull(world.claim()).getStatus())
                        .condition("Ready")
                        .orElseThrow()
                        .getMessage())
                .contains("onNotEmpty");
        world.bucketClass =
                new ObservedClass.Usable(BucketClass.read(new BucketClassRef("fast", "class-2", Map.of()), "Delete"));
        world.settle();
        assertThat(Objects.requireNonNull(world.claim()).phase())
                .as("cleared by a change")
                .isEqualTo(Phase.BOUND);
    }

    @Test
    void aClaimWhoseClassIsMissingIsToldSoByAnEventAfterAMomentAndNothingIsWritten() {
        World world = new World(Map.of());
        world.claim(photos());
        Objects.requireNonNull(world.claim()).getMetadata().setCreationTimestamp(world.now.toString());
        ObservedClass there = world.bucketClass;
        world.bucketClass = new ObservedClass.Missing("fast");
        assertThat(world.reconcile()).as("claim and class may come in one file").isInstanceOf(Result.RequeueAfter.class);
        assertThat(world.told).isEmpty();
        assertThat(world.settle()).isEqualTo(Result.done());
        assertThat(world.told).as("rook#5675").containsExactly("ClassNotFound");
        assertThat(world.writes).isZero();
        world.bucketClass = there;
        world.settle();
        assertThat(Objects.requireNonNull(world.claim()).phase()).isEqualTo(Phase.BOUND);
    }

    @Test
    void anEditedEndpointIsAskedForAgainAndTheEditNeverReachesTheConfigMap() {
        World world = new World(Map.of());
        world.claim(photos());
        world.settle();
        Map<String, String> config = Objects.requireNonNull(world.configMap()).getData();
        ObjectBucket bucket = Objects.requireNonNull(world.bucket());
        BucketEndpoint written = bucket.getSpec().reachableAt().orElseThrow();
        Map<String, String> edited = new HashMap<>(written.config());
        edited.put("BUCKET_HOST", "evil.test");
        bucket.setSpec(bucket.getSpec().toBuilder()
                .endpoint(new BucketEndpoint(
                        "evil.test",
                        written.bucketPort(),
                        written.bucketName(),
                        written.region(),
                        written.subRegion(),
                        edited,
                        written.additionalConfigData(),
                        written.securePort(),
                        written.ssl(),
                        written.versioned(),
                        written.unknown()))
                .build());
        world.settle();
        assertThat(Objects.requireNonNull(world.configMap()).getData()).isEqualTo(config);
        assertThat(Objects.requireNonNull(world.bucket()).getSpec().reachableAt())
                .contains(written);
        int calls = world.store.calls().size();
        world.settle();
        assertThat(world.store.calls()).as("once repaired, it is quiet").hasSize(calls);
    }

    @Test
    void anObjectBucketThatSomebodyPointedAtAnotherClaimPointsAtItsOwnAgain() {
        World world = new World(Map.of());
        world.claim(photos());
        world.settle();
        ObjectBucket bucket = Objects.requireNonNull(world.bucket());
        ObjectReference ours = bucket.getSpec().claim().orElseThrow();
        bucket.setSpec(bucket.getSpec().toBuilder()
                .claimRef(new ObjectReferenceBuilder(ours).withName("victim").build())
                .build());
        world.settle();
        assertThat(Objects.requireNonNull(world.bucket()).getSpec().claim()).contains(ours);
    }

    @Test
    void aClaimWhoseStoreIsGoneForGoodEndsOnAnAdministratorsWordAndNothingIsCalled() {
        World world = new World(Map.of());
        world.claim(photos());
        world.settle();
        int calls = world.store.calls().size();
        Objects.requireNonNull(world.bucket())
                .getMetadata()
                .setAnnotations(new HashMap<>(Map.of("bucketwright.io/abandon", "true")));
        assertThat(world.settle()).as("alive, it means nothing").isEqualTo(Result.done());
        assertThat(world.told).isEmpty();
        world.delete("claim");
        world.settle();
        assertThat(world.objects).isEmpty();
        assertThat(world.told).containsExactly("Abandoned");
        assertThat(world.store.calls()).hasSize(calls);
    }
}
