package io.bucketwright.buckets.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.buckets.adoption.AdoptionDecision.NothingToRelease;
import io.bucketwright.buckets.adoption.AdoptionDecision.ProveAbsence;
import io.bucketwright.buckets.adoption.AdoptionDecision.Refuse;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.access.Reclaim;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AdoptionDecisionTest {

    private static final BucketName BUCKET = new BucketName("photos");
    private static final BucketOwner HEIR = new BucketOwner("cluster", "heir-uid");
    private static final ClaimIdentity HEIR_CLAIM = new ClaimIdentity("team", "team-uid", "heir");
    private static final BucketOwner FORMER = new BucketOwner("cluster", "former-uid");
    private static final ClaimIdentity FORMER_CLAIM = new ClaimIdentity("team", "team-uid", "former");

    private static AdoptionDecision decide(OwnershipTags tags, boolean anyNamespace, boolean visible) {
        return AdoptionDecision.of(BUCKET, tags, HEIR, HEIR_CLAIM, anyNamespace, _ -> visible);
    }

    @Test
    void aClaimThatMayHaveBeenSuspendedReturnsOnlyLikeAnyOtherHeir() {
        assertThat(decide(new OwnershipTags.Owned(FORMER, HEIR_CLAIM, Reclaim.SUSPEND), false, true))
                .isEqualTo(new AdoptionDecision.ProveAbsence(FORMER, HEIR_CLAIM));
    }

    @Test
    void theFormerClaimOfTheSameNamespaceMustBeProvenAbsent() {
        ProveAbsence prove = new ProveAbsence(FORMER, FORMER_CLAIM);
        assertThat(decide(new OwnershipTags.Owned(FORMER, FORMER_CLAIM), false, true))
                .isEqualTo(prove);
        assertThat(decide(new OwnershipTags.Adopted(FORMER, FORMER_CLAIM), false, true))
                .isEqualTo(prove);
    }

    static Stream<OwnershipTags> withoutFormerOwner() {
        return Stream.of(
                new OwnershipTags.Untagged(),
                new OwnershipTags.Unreadable(),
                new OwnershipTags.Released(FORMER, FORMER_CLAIM),
                new OwnershipTags.Adopted(HEIR, HEIR_CLAIM),
                new OwnershipTags.Owned(FORMER, HEIR_CLAIM, Reclaim.DELETE));
    }

    @ParameterizedTest
    @MethodSource("withoutFormerOwner")
    void theStoreDecidesAboutBucketsWithoutAFormerOwner(OwnershipTags tags) {
        assertThat(decide(tags, true, false)).isEqualTo(new NothingToRelease());
    }

    static Stream<Arguments> refused() {
        ClaimIdentity other = new ClaimIdentity("other", "other-uid", "former");
        ClaimIdentity createdAgain = new ClaimIdentity("team", "uid-of-a-former-namespace", "former");
        ClaimIdentity withoutUid = new ClaimIdentity("team", "", "former");
        return Stream.of(
                Arguments.of("another cluster", new BucketOwner("elsewhere", "uid"), FORMER_CLAIM, "--from-cluster"),
                Arguments.of("a bucket of COSI", FORMER, ClaimIdentity.NONE, "bucket list"),
                Arguments.of("another namespace", FORMER, other, "another namespace"),
                Arguments.of("a former namespace of the same name", FORMER, createdAgain, "another namespace"),
                Arguments.of("a namespace without uid", FORMER, withoutUid, "another namespace"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void otherOwnersAreRefused(String why, BucketOwner former, ClaimIdentity formerClaim, String hint) {
        assertThat(decide(new OwnershipTags.Owned(former, formerClaim), false, true))
                .as(why)
                .isInstanceOfSatisfying(
                        Refuse.class,
                        refused -> assertThat(refused.message())
                                .contains("photos", hint)
                                .doesNotContain("other/", former.uid()));
    }

    @Test
    void anotherClusterAndOwnersThatAreNoClaimsAreRefusedAlsoWithAnyNamespace() {
        assertThat(decide(new OwnershipTags.Owned(new BucketOwner("elsewhere", "uid"), FORMER_CLAIM), true, true))
                .isInstanceOf(Refuse.class);
        assertThat(decide(new OwnershipTags.Owned(FORMER, ClaimIdentity.NONE), true, true))
                .isInstanceOf(Refuse.class);
    }

    @Test
    void anotherNamespaceIsAllowedOnlyByTheClass() {
        ClaimIdentity other = new ClaimIdentity("other", "other-uid", "former");
        assertThat(decide(new OwnershipTags.Owned(FORMER, other), true, true))
                .isEqualTo(new ProveAbsence(FORMER, other));
    }

    @Test
    void aControllerThatDoesNotSeeTheNamespaceOfTheFormerClaimCannotProveAnything() {
        assertThat(decide(new OwnershipTags.Owned(FORMER, FORMER_CLAIM), true, false))
                .isInstanceOfSatisfying(
                        Refuse.class, refused -> assertThat(refused.message()).contains("--orphaned"));
    }
}
