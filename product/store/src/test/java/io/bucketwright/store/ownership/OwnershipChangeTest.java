package io.bucketwright.store.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.OnOpenBucket;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.TransferRequest;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.access.OwnershipTags.Adopted;
import io.bucketwright.store.access.OwnershipTags.Owned;
import io.bucketwright.store.access.OwnershipTags.Released;
import io.bucketwright.store.access.OwnershipTags.Unreadable;
import io.bucketwright.store.access.OwnershipTags.Untagged;
import io.bucketwright.store.access.Reclaim;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.ownership.OwnershipChange.NewTags;
import io.bucketwright.store.ownership.OwnershipChange.NoChange;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

final class OwnershipChangeTest {

    private static final BucketName BUCKET = new BucketName("photos");
    private static final ClaimIdentity CLAIM = new ClaimIdentity("shop", "ns-1", "photos");
    private static final ClaimIdentity OTHER_CLAIM = new ClaimIdentity("shop", "ns-1", "videos");
    private static final ClaimIdentity OTHER_NAMESPACE = new ClaimIdentity("shop", "ns-2", "photos");
    private static final BucketOwner OWNER = new BucketOwner("here", "uid-2");
    private static final BucketOwner FORMER = new BucketOwner("here", "uid-1");
    private static final BucketOwner ELSEWHERE = new BucketOwner("there", "uid-2");

    private static final OwnershipChange NO_CHANGE = new NoChange();

    @Test
    void aBucketOfTheSameOwnerIsProvisionedWithoutAChange() {
        assertThat(provision(new Owned(OWNER, CLAIM, Reclaim.DELETE))).isEqualTo(NO_CHANGE);
    }

    @Test
    void aClaimThatWasCreatedAgainReplacesItsFormerOwner() {
        assertThat(provision(new Owned(FORMER, CLAIM, Reclaim.DELETE)))
                .isEqualTo(new NewTags(Optional.of(FORMER), new Owned(OWNER, CLAIM, Reclaim.DELETE)));
    }

    @Test
    void aNamespaceThatWasCreatedAgainDoesNotGetTheBucketOfTheFormerOne() {
        Owned former = new Owned(FORMER, OTHER_NAMESPACE, Reclaim.DELETE);
        assertTaken(OwnershipChangeTest::provision, former, "former namespace of this name");
        assertTaken(tags -> adopt(tags, true, true), former, "former namespace of this name");
        assertTaken(
                OwnershipChangeTest::provision,
                new Owned(FORMER, new ClaimIdentity("shop", "", "photos"), Reclaim.DELETE),
                "former namespace of this name");
    }

    @Test
    void aClaimThatMayHaveBeenSuspendedDoesNotReturn() {
        for (Reclaim reclaim : List.of(Reclaim.SUSPEND, Reclaim.UNKNOWN)) {
            Owned former = new Owned(FORMER, CLAIM, reclaim);
            assertTaken(OwnershipChangeTest::provision, former, "may have been suspended");
            assertTaken(tags -> adopt(tags, true, true), former, "may have been suspended");
        }
    }

    @Test
    void theStricterReclaimPolicyOfBothOwnersApplies() {
        for (Reclaim before : List.of(Reclaim.DELETE, Reclaim.ERASE, Reclaim.RETAIN)) {
            for (Reclaim wanted : List.of(Reclaim.DELETE, Reclaim.ERASE, Reclaim.RETAIN, Reclaim.SUSPEND)) {
                Reclaim stricter = before.compareTo(wanted) > 0 ? before : wanted;
                assertThat(provision(new Owned(FORMER, CLAIM, before), wanted))
                        .isEqualTo(new NewTags(Optional.of(FORMER), new Owned(OWNER, CLAIM, stricter)));
            }
        }
    }

    @Test
    void anOwnerDestroysOnlyWhatNobodyBeforeItHadToKeep() {
        for (Reclaim recorded : List.of(Reclaim.RETAIN, Reclaim.SUSPEND)) {
            Owned kept = new Owned(OWNER, CLAIM, recorded);
            for (Reclaim wanted : List.of(Reclaim.DELETE, Reclaim.ERASE)) {
                assertThatExceptionOfType(Taken.class)
                        .isThrownBy(() -> OwnershipConflict.requireReclaimable(BUCKET, kept, OWNER, wanted))
                        .withMessageContaining("reclaim policy " + recorded.text());
            }
        }
        assertThat(new Owned(OWNER, CLAIM, Reclaim.ERASE).isReclaimableBy(OWNER, Reclaim.DELETE))
                .isFalse();
        for (Reclaim recorded : List.of(Reclaim.DELETE, Reclaim.UNKNOWN)) {
            OwnershipConflict.requireReclaimable(BUCKET, new Owned(OWNER, CLAIM, recorded), OWNER, Reclaim.DELETE);
            OwnershipConflict.requireReclaimable(BUCKET, new Owned(OWNER, CLAIM, recorded), OWNER, Reclaim.ERASE);
        }
        assertThat(new Owned(FORMER, CLAIM, Reclaim.DELETE).isReclaimableBy(OWNER, Reclaim.DELETE))
                .isFalse();
        assertThat(new Adopted(OWNER, CLAIM).isReclaimableBy(OWNER, Reclaim.DELETE))
                .isFalse();
    }

    @Test
    void aTransferInOneClusterIsForARestoredNamespaceOrASuspendedClaim() {
        TransferRequest request = TransferRequest.ofClaim(BUCKET, "here", "here", CLAIM);
        Owned returning = new Owned(FORMER, CLAIM, Reclaim.DELETE);
        assertThat(OwnershipChange.transfer(request, new Owned(FORMER, OTHER_NAMESPACE, Reclaim.DELETE)))
                .isEqualTo(new NewTags(Optional.of(FORMER), returning));
        assertThat(OwnershipChange.transfer(request, returning)).isEqualTo(NO_CHANGE);
        for (Reclaim reclaim : List.of(Reclaim.SUSPEND, Reclaim.UNKNOWN)) {
            assertThat(OwnershipChange.transfer(request, new Owned(FORMER, CLAIM, reclaim)))
                    .isEqualTo(new NewTags(Optional.of(FORMER), new Owned(FORMER, CLAIM, Reclaim.RETAIN)));
        }
    }

    @Test
    void aTransferFromAnotherClusterDoesNotGiveAwayBucketsOfThisOne() {
        assertThat(transfer(new Owned(FORMER, OTHER_NAMESPACE, Reclaim.DELETE))).isEqualTo(NO_CHANGE);
    }

    @Test
    void aTransferByUidKeepsNamesAndPolicy() {
        assertThat(OwnershipChange.transfer(
                        TransferRequest.ofOwner(BUCKET, "there", OWNER), new Owned(ELSEWHERE, ClaimIdentity.NONE)))
                .isEqualTo(new NewTags(Optional.of(ELSEWHERE), new Owned(OWNER, ClaimIdentity.NONE)));
    }

    @Test
    void noOtherBucketIsProvisioned() {
        assertTaken(OwnershipChangeTest::provision, new Owned(FORMER, OTHER_CLAIM), "belongs to another claim");
        assertTaken(
                OwnershipChangeTest::provision,
                new Owned(ELSEWHERE, CLAIM, Reclaim.DELETE),
                "belongs to another cluster");
        assertTaken(OwnershipChangeTest::provision, new Adopted(FORMER, CLAIM), "was adopted by a claim");
        assertTaken(OwnershipChangeTest::provision, new Adopted(OWNER, CLAIM), "was adopted by a claim");
        assertTaken(OwnershipChangeTest::provision, new Released(OWNER, CLAIM), "was released by its claim");
        assertTaken(OwnershipChangeTest::provision, new Untagged(), "has no ownership tag");
        assertTaken(OwnershipChangeTest::provision, new Unreadable(), "this version cannot read");
    }

    @Test
    void anAdoptedBucketIsAdoptedOnce() {
        assertThat(adopt(new Adopted(OWNER, CLAIM), false, false)).isEqualTo(NO_CHANGE);
    }

    @Test
    void aReleasedBucketIsAdoptedInItsNamespaceOrWhereTheAdministratorAllows() {
        OwnershipChange adopted = new NewTags(Optional.empty(), new Adopted(OWNER, CLAIM));
        assertThat(adopt(new Released(FORMER, OTHER_CLAIM), false, false)).isEqualTo(adopted);
        assertThat(adopt(new Released(FORMER, OTHER_NAMESPACE), false, true)).isEqualTo(adopted);
        assertTaken(tags -> adopt(tags, true, false), new Released(FORMER, OTHER_NAMESPACE), "was released");
    }

    @Test
    void anUntaggedBucketIsAdoptedOnlyIfTheAdministratorAllows() {
        assertThat(adopt(new Untagged(), true, false))
                .isEqualTo(new NewTags(Optional.empty(), new Adopted(OWNER, CLAIM)));
        assertTaken(tags -> adopt(tags, false, true), new Untagged(), "has no ownership tag");
    }

    @Test
    void aClaimThatWasCreatedAgainAdoptsWhatItsFormerOwnerHad() {
        for (OwnershipTags tags : List.of(new Owned(FORMER, CLAIM, Reclaim.DELETE), new Adopted(FORMER, CLAIM))) {
            assertThat(adopt(tags, false, false))
                    .isEqualTo(new NewTags(Optional.of(FORMER), new Adopted(OWNER, CLAIM)));
        }
    }

    @Test
    void aBucketInUseIsNeverAdopted() {
        assertTaken(tags -> adopt(tags, true, true), new Owned(FORMER, OTHER_CLAIM), "belongs to another claim");
        assertTaken(tags -> adopt(tags, true, true), new Adopted(FORMER, OTHER_CLAIM), "was adopted by a claim");
        assertTaken(
                tags -> adopt(tags, true, true),
                new Owned(ELSEWHERE, CLAIM, Reclaim.DELETE),
                "belongs to another claim");
        assertTaken(tags -> adopt(tags, true, true), new Unreadable(), "this version cannot read");
    }

    @Test
    void aTransferKeepsTheUidAndTheKindOfOwnership() {
        BucketOwner moved = new BucketOwner("here", "uid-2");
        assertThat(transfer(new Owned(ELSEWHERE, CLAIM, Reclaim.DELETE)))
                .isEqualTo(new NewTags(Optional.of(ELSEWHERE), new Owned(moved, CLAIM, Reclaim.DELETE)));
        assertThat(transfer(new Adopted(ELSEWHERE, CLAIM)))
                .isEqualTo(new NewTags(Optional.of(ELSEWHERE), new Adopted(moved, CLAIM)));
    }

    @Test
    void aTransferredBucketIsTransferredOnce() {
        assertThat(transfer(new Owned(OWNER, CLAIM, Reclaim.DELETE))).isEqualTo(NO_CHANGE);
    }

    @Test
    void onlyABucketOfTheNamedClaimAndClusterIsTransferred() {
        assertTaken(
                OwnershipChangeTest::transfer, new Owned(new BucketOwner("third", "uid-2"), CLAIM), "another cluster");
        assertTaken(OwnershipChangeTest::transfer, new Owned(ELSEWHERE, OTHER_CLAIM), "belongs to another claim");
        assertTaken(OwnershipChangeTest::transfer, new Released(ELSEWHERE, CLAIM), "was released by its claim");
        assertTaken(OwnershipChangeTest::transfer, new Untagged(), "has no ownership tag");
    }

    @Test
    void anOwnerReleasesItsBucketOnce() {
        NewTags released = new NewTags(Optional.empty(), new Released(OWNER, CLAIM));
        assertThat(release(new Owned(OWNER, CLAIM, Reclaim.DELETE))).isEqualTo(released);
        assertThat(release(new Adopted(OWNER, CLAIM))).isEqualTo(released);
        assertThat(release(released.tags())).isEqualTo(NO_CHANGE);
    }

    @Test
    void nobodyReleasesTheBucketOfAnother() {
        assertTaken(OwnershipChangeTest::release, new Owned(FORMER, CLAIM, Reclaim.DELETE), "belongs to another claim");
        assertTaken(OwnershipChangeTest::release, new Released(FORMER, CLAIM), "was released by its claim");
        assertTaken(OwnershipChangeTest::release, new Untagged(), "has no ownership tag");
    }

    private static OwnershipChange provision(OwnershipTags tags) {
        return provision(tags, Reclaim.DELETE);
    }

    private static OwnershipChange provision(OwnershipTags tags, Reclaim wanted) {
        return OwnershipChange.provision(
                new ProvisionRequest(
                        BUCKET,
                        Naming.GIVEN,
                        OWNER,
                        CLAIM,
                        wanted,
                        Access.readWrite(),
                        BucketOptions.unmanaged(),
                        Set.of()),
                tags);
    }

    private static OwnershipChange adopt(OwnershipTags tags, boolean untagged, boolean anyNamespace) {
        return OwnershipChange.adopt(
                new AdoptRequest(BUCKET, OWNER, CLAIM, untagged, anyNamespace, OnOpenBucket.REFUSE), tags);
    }

    private static OwnershipChange transfer(OwnershipTags tags) {
        return OwnershipChange.transfer(TransferRequest.ofClaim(BUCKET, "there", "here", CLAIM), tags);
    }

    private static OwnershipChange release(OwnershipTags tags) {
        return OwnershipChange.release(BUCKET, OWNER, tags);
    }

    private static void assertTaken(
            Function<OwnershipTags, OwnershipChange> decision, OwnershipTags tags, String reason) {
        assertThatExceptionOfType(Taken.class)
                .isThrownBy(() -> decision.apply(tags))
                .withMessageStartingWith("The bucket photos ")
                .withMessageContaining(reason);
    }
}
