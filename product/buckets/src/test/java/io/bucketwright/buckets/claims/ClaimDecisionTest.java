package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.photos;
import static io.bucketwright.buckets.claims.World.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.BucketClassRef;
import io.bucketwright.api.BucketEndpoint;
import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.ObjectBucketSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.api.ReclaimPolicy;
import io.bucketwright.buckets.ForeignEdits;
import io.bucketwright.buckets.claims.ClaimStep.ReleaseMode;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.objects.RequestedBucket;
import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.options.Capability;
import io.bucketwright.testing.Eventually;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimDecisionTest {

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClaimOfAnotherProvisionerOrOfAMissingClassIsNotChanged(boolean missing) {
        World world = new World(Map.of());
        world.deleteClass();
        if (!missing) {
            world.createClass("other.io/bucket", Map.of());
        }
        world.settle(photos());
        assertThat(world.writes()).isZero();
        assertThat(world.store.calls()).isEmpty();
    }

    static Stream<Arguments> invalidClaims() {
        Map<String, String> existing = Map.of("bucketName", "shared-data");
        ObjectBucketClaimSpec.Builder quota = spec().additionalConfig(Map.of("maxObjects", "1"));
        ObjectBucketClaimSpec.Builder unknown = photos().additionalConfig(Map.of("bucketclass", "gold"));
        ObjectBucketClaimSpec.Builder owned = photos().additionalConfig(Map.of("bucketOwner", "bob"));
        Map<String, String> owners = Map.of("allowedBucketOwners", "${namespace}.*,alice");
        ObjectBucketClaimSpec.Builder twoSpellings = photos().ssl(true).sslUpperCase(false);
        return Stream.of(
                Arguments.of("no name at all", Map.of(), spec(), "Invalid", "needs a name"),
                Arguments.of("bad name", Map.of(), spec().bucketName("Not_A_Name"), "Invalid", "Not_A_Name"),
                Arguments.of("bad prefix", Map.of(), spec().generateBucketName("_x"), "Invalid", "_x"),
                Arguments.of("two names", existing, spec().bucketName("mine-alone"), "Invalid", "existing bucket"),
                Arguments.of("namespace", Map.of("allowedNamespaces", "o-*"), photos(), "NamespaceNotAllowed", "team"),
                Arguments.of("an unknown option", Map.of(), unknown, "Invalid", "bucketclass"),
                Arguments.of("no owners", Map.of("allowedOptions", "bucketOwner"), owned, "Invalid", "bucketOwner"),
                Arguments.of("another owner", owners, owned, "Invalid", "allowedBucketOwners"),
                Arguments.of("not allowed", Map.of(), photos().cannedBucketACL("public-read"), "Invalid", "cannedAcl"),
                Arguments.of("options on an existing bucket", existing, quota, "Invalid", "existing bucket"),
                Arguments.of("two spellings that differ", Map.of(), twoSpellings, "Invalid", "SSL"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("invalidClaims")
    void anInvalidClaimReportsTheReasonOnceAndTheStoreIsNotCalled(
            String what,
            Map<String, String> parameters,
            ObjectBucketClaimSpec.Builder spec,
            String reason,
            String word) {
        World world = World.settled(parameters, spec);
        assertThat(world.requiresChange()).isTrue();
        assertThat(world.phase()).isEqualTo(Phase.FAILED);
        world.assertReady(reason, word);
        assertThat(world.writes()).as("the status, and nothing else").isEqualTo(1);
        assertThat(world.store.calls()).isEmpty();
        world.restart();
        world.settle();
        assertThat(world.writes()).isEqualTo(1);
        world.assertDeletable();
    }

    @Test
    void aClaimThatNeedsAMissingCapabilityIsRejectedBeforeTheIntentIsRecorded() {
        World world = new World(Map.of("reclaimPolicy", "Erase"));
        world.store.without(Capability.ERASE);
        world.settle(photos());
        assertThat(world.ready().getReason()).isEqualTo("Unsupported");
        assertThat(world.bucket()).isEmpty();
        assertThat(world.store.calls()).isEmpty();
    }

    @Test
    void bucketNameTakesPrecedenceOverGenerateBucketName() {
        World world = World.settled(Map.of(), photos().bucketName("exactly-this"));
        assertThat(world.store.names()).containsExactly("exactly-this");
    }

    @Test
    void aGeneratedNameIsTheSameAfterACrashAndUniqueToTheClaim() {
        World world = new World(Map.of());
        world.claim(photos());
        world.crashAt(1, true);
        world.reconcile();
        ObjectBucketClaim claim = world.claim().orElseThrow();
        String written = claim.getSpec().bucket().orElseThrow();
        world.settle();
        assertThat(world.store.names()).containsExactly(written);
        assertThat(RequestedBucket.naming(written, claim.getMetadata().getUid(), "cluster-1"))
                .hasToString("GENERATED");
        assertThat(RequestedBucket.naming(written, "another-uid", "cluster-1")).hasToString("GIVEN");
    }

    static Stream<Arguments> releases() {
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
    @MethodSource("releases")
    void theIntentDecidesHowABucketIsReleasedAndExistingBucketsAreNeverDeleted(
            BucketOrigin origin, Map<String, String> parameters, ReclaimPolicy policy, ReleaseMode mode) {
        BucketIntent intent = BucketIntent.of(
                "test.io/bucket",
                new BucketClassRef("fast", "class-1", parameters),
                new ObjectReferenceBuilder()
                        .withNamespace("team")
                        .withName("mine")
                        .withUid("uid-1")
                        .build(),
                origin,
                "b-1",
                policy);
        assertThat(DeletedClaimDecision.mode(intent)).isEqualTo(mode);
    }

    @Test
    void anIntentOfANewerReleaseIsNotChangedWhileTheClaimExistsOrIsDeleted() {
        World world = World.bound(Map.of());
        world.editBucket(bucket -> ForeignEdits.editSpec(bucket, "intent", Map.of("version", 99)));
        int calls = world.store.calls().size();
        world.settle();
        assertThat(world.requiresChange()).isTrue();
        assertThat(world.ready().getReason()).isEqualTo("UnsupportedIntentVersion");
        world.deleteClaim();
        assertThat(world.requiresChange()).isTrue();
        assertThat(world.store.calls()).hasSize(calls);
        assertThat(world.store.names()).hasSize(1);
        assertThat(world.objects()).hasSize(4);
    }

    @Test
    void aSharedBucketIsNotDeletedAndTheClaimReportsTheNumberOfSharersWithoutTheirNames() {
        World world = World.bound(Map.of());
        String name = world.claimedBucket();
        world.createNamespace("others");
        sharer(world, "one", name);
        sharer(world, "two", name);
        world.deleteClaim();
        assertThat(world.requiresChange()).isTrue();
        assertThat(world.ready().getMessage()).contains("2 other claim(s)").doesNotContain("one", "two");
        assertThat(world.store.count("delete")).isZero();
        for (String sharer : List.of("sharer-one", "sharer-two")) {
            world.server.edit(
                    ObjectBucket.class,
                    "",
                    sharer,
                    bucket -> bucket.getMetadata().setFinalizers(List.of()));
            world.server.delete(ObjectBucket.class, "", sharer);
        }
        world.settle();
        assertThat(world.objects()).isEmpty();
        assertThat(world.store.names()).isEmpty();
    }

    private static void sharer(World world, String claim, String bucketName) {
        ObjectBucketClaim other = new ObjectBucketClaim();
        other.setMetadata(
                new ObjectMetaBuilder().withNamespace("others").withName(claim).build());
        other.setSpec(ObjectBucketClaimSpec.builder().storageClassName("shared").build());
        world.server.create(other);
        ObjectReference reference = new ObjectReferenceBuilder()
                .withNamespace("others")
                .withName(claim)
                .withUid(world.server
                        .get(ObjectBucketClaim.class, "others", claim)
                        .orElseThrow()
                        .getMetadata()
                        .getUid())
                .build();
        ObjectBucket bucket = new ObjectBucket();
        bucket.setMetadata(new ObjectMetaBuilder().withName("sharer-" + claim).build());
        bucket.setSpec(ObjectBucketSpec.EMPTY.with(
                "intent",
                BucketIntent.of(
                        "test.io/bucket",
                        new BucketClassRef("shared", "class-2", Map.of("bucketName", bucketName)),
                        reference,
                        BucketOrigin.EXISTING,
                        bucketName,
                        ReclaimPolicy.RETAIN)));
        world.server.create(bucket);
    }

    @Test
    void aBucketThatNoLongerExistsInTheStoreDoesNotBlockTheDeletionOfItsClaim() {
        World world = World.bound(Map.of());
        world.store.names().forEach(world.store::drop);
        world.deleteClaim();
        assertThat(world.objects()).as("rook#6300").isEmpty();
    }

    @Test
    void aLostBucketIsNotCreatedAgain() {
        World world = World.bound(Map.of());
        world.store.names().forEach(world.store::drop);
        world.forceDelete(Secret.class);
        world.reconcile();
        assertThat(world.ready().getReason()).isEqualTo("BucketNotFound");
        assertThat(world.time.advanceToNextTimer()).as("it is retried").isTrue();
        world.reconcile();
        assertThat(world.store.names()).isEmpty();
    }

    @Test
    void noStepPrintsASecret() {
        World world = new World(Map.of());
        world.claim(photos());
        world.crashAt(3, false);
        world.reconcile();
        RecordedBucket bucket = new RecordedBucket(world.objectBucket());
        ProvisionedBucket provisioned = world.store.grant(
                StoreCall.within(Duration.ofSeconds(1)),
                new GrantRequest(
                        new BucketName(bucket.intent().bucketName()),
                        world.settings.owner(bucket.intent().claimUid()),
                        bucket.bucketClass().access(),
                        Set.of()));
        ClaimObservation observed = world.observed(
                ClaimState.NONE.withProvisioned(new ClaimState.Provisioned(provisioned, "", ""), "", new Moment(0)),
                null);
        Decision<ClaimStep> decision = new ClaimDecision(world.settings).decide(observed);
        assertThat(decision)
                .isInstanceOfSatisfying(
                        Decision.Act.class, act -> assertThat(act.step()).isInstanceOf(ClaimStep.WriteSecret.class));
        assertThat(observed.toString() + decision).doesNotContain("secret-").doesNotContain("c2VjcmV0");
    }

    @Test
    void anInvalidClassIsReportedOnTheClaimUntilTheClassIsReplaced() {
        World world = World.settled(Map.of("onNotEmpty", "x"), photos());
        world.assertReady("InvalidClass", "onNotEmpty");
        world.replaceClass(Map.of());
        world.settle();
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
    }

    /** The grace period does not become hours. */
    @Test
    void aMissingClassIsReportedAlsoAfterTheClockOfTheNodeWasBehind() {
        World world = new World(Map.of());
        world.deleteClass();
        world.claim(photos());
        world.time.setWall(Duration.ofHours(-2));
        world.reconcile();
        world.time.setWall(Duration.ZERO);
        world.settleFor(Duration.ofSeconds(6));
        assertThat(world.events()).containsExactly("ClassNotFound");
    }

    @Test
    void aMissingClassIsReportedWithAnEventAfterAGracePeriodAndNothingIsWritten() {
        World world = new World(Map.of());
        world.deleteClass();
        world.reconcile(photos());
        assertThat(world.events()).as("claim and class may be in one file").isEmpty();
        world.settle();
        Eventually.await("the event").until(() -> !world.events().isEmpty());
        assertThat(world.events()).as("rook#5675").containsExactly("ClassNotFound");
        assertThat(world.events("ClassNotFound").getFirst()).contains(World.CLASS);
        assertThat(world.writes())
                .as("the claim may belong to another provisioner")
                .isZero();
        world.createClass(Map.of());
        world.settle();
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
    }

    @Test
    void anEditedEndpointIsRequestedAgainAndTheEditNeverReachesTheConfigMap() {
        World world = World.bound(Map.of());
        Map<String, String> config = world.config();
        BucketEndpoint written = world.objectBucket().getSpec().reachableAt().orElseThrow();
        world.editBucket(ForeignEdits::redirect);
        world.settle();
        assertThat(world.config()).isEqualTo(config);
        assertThat(world.objectBucket().getSpec().reachableAt()).contains(written);
        assertThat(world.opens(world.published())).isTrue();
        assertThat(world.store.count("provision")).isEqualTo(1);
        int calls = world.store.calls().size();
        world.settle();
        assertThat(world.store.calls()).as("nothing is left to correct").hasSize(calls);
    }

    @Test
    void aClaimRefThatWasChangedToAnotherClaimIsCorrected() {
        World world = World.bound(Map.of());
        ObjectReference own = world.objectBucket().getSpec().claim().orElseThrow();
        world.editBucket(bucket -> bucket.setSpec(bucket.getSpec()
                .with(
                        "claimRef",
                        new ObjectReferenceBuilder(own).withName("victim").build())));
        world.settle();
        assertThat(world.objectBucket().getSpec().claim()).contains(own);
    }

    @Test
    void aClaimWhoseStoreNoLongerExistsIsDeletedWithTheAbandonAnnotationAndTheStoreIsNotCalled() {
        World world = World.bound(Map.of());
        int calls = world.store.calls().size();
        int writes = world.writes();
        world.editBucket(bucket ->
                bucket.getMetadata().setAnnotations(new HashMap<>(Map.of("bucketwright.io/abandon", "true"))));
        world.settle();
        assertThat(world.writes()).as("it has no effect before the deletion").isEqualTo(writes);
        assertThat(world.events()).doesNotContain("Abandoned");
        world.assertDeletable();
        world.awaitEvent("Abandoned");
        assertThat(world.events()).containsOnlyOnce("Abandoned");
        assertThat(world.store.calls()).hasSize(calls);
    }
}
