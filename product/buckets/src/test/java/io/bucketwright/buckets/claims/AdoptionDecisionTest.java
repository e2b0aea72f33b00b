package io.bucketwright.buckets.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.OnOpenBucket;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.access.Reclaim;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
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

    private static Optional<BucketOwner> former(OwnershipTags tags, boolean anyNamespace, boolean visible) {
        AdoptRequest request = new AdoptRequest(BUCKET, HEIR, HEIR_CLAIM, false, anyNamespace, OnOpenBucket.REFUSE);
        return OrphanAdoption.former(request, tags, _ -> visible);
    }

    private static AbstractThrowableAssert<?, ?> assertRefused(
            OwnershipTags tags, boolean anyNamespace, boolean visible) {
        return assertThatThrownBy(() -> former(tags, anyNamespace, visible)).isInstanceOf(ClaimProblemException.class);
    }

    @Test
    void aClaimThatMayHaveBeenSuspendedReturnsOnlyLikeAnyOtherHeir() {
        assertThat(former(new OwnershipTags.Owned(FORMER, HEIR_CLAIM, Reclaim.SUSPEND), false, true))
                .contains(FORMER);
    }

    @Test
    void theFormerClaimOfTheSameNamespaceMustBeProvenAbsent() {
        assertThat(former(new OwnershipTags.Owned(FORMER, FORMER_CLAIM), false, true))
                .contains(FORMER);
        assertThat(former(new OwnershipTags.Adopted(FORMER, FORMER_CLAIM), false, true))
                .contains(FORMER);
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
        assertThat(former(tags, true, false)).isEmpty();
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
        assertRefused(new OwnershipTags.Owned(former, formerClaim), false, true)
                .as(why)
                .hasMessageContainingAll("photos", hint)
                .message()
                .doesNotContain("other/", former.uid());
    }

    @Test
    void anotherClusterAndOwnersThatAreNoClaimsAreRefusedAlsoWithAnyNamespace() {
        assertRefused(new OwnershipTags.Owned(new BucketOwner("elsewhere", "uid"), FORMER_CLAIM), true, true);
        assertRefused(new OwnershipTags.Owned(FORMER, ClaimIdentity.NONE), true, true);
    }

    @Test
    void anotherNamespaceIsAllowedOnlyByTheClass() {
        ClaimIdentity other = new ClaimIdentity("other", "other-uid", "former");
        assertThat(former(new OwnershipTags.Owned(FORMER, other), true, true)).contains(FORMER);
    }

    @Test
    void aControllerThatDoesNotSeeTheNamespaceOfTheFormerClaimCannotProveAnything() {
        assertRefused(new OwnershipTags.Owned(FORMER, FORMER_CLAIM), true, false)
                .hasMessageContaining("--orphaned");
    }
}
