package io.bucketwright.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.BucketPage;
import io.bucketwright.store.ListedBucket;
import io.bucketwright.store.Listing;
import io.bucketwright.store.MissingPart;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.access.Reclaim;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.options.Capability;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The list of buckets, which shows what lost its claim. */
public interface ListingContract extends Contract {

    ClaimIdentity CLAIM = new ClaimIdentity("team", "uid-of-team", "photos");

    /** All buckets by name, in as many parts as the store makes of them. */
    default Map<String, ListedBucket> listed() {
        Map<String, ListedBucket> all = new LinkedHashMap<>();
        Set<String> positions = new HashSet<>();
        Optional<String> from = Optional.of(BucketPage.FIRST);
        while (from.isPresent()) {
            assertThat(positions.add(from.get()))
                    .as("a part begins where none began")
                    .isTrue();
            BucketPage page = listing().listBuckets(call(), from.get());
            page.buckets()
                    .forEach(bucket -> assertThat(all.put(bucket.name(), bucket))
                            .as("a bucket in two parts")
                            .isNull());
            from = page.next();
        }
        return all;
    }

    @Test
    default void whatSomebodyDeletedIsMissing() {
        needs(Capability.LIST);
        needsObjects();
        assertThat(store().verify(call(), newBucket(), owner())).contains(MissingPart.BUCKET);
        provision(bucket(), owner());
        assertThat(store().verify(call(), bucket(), owner())).isEmpty();
        store().revoke(call(), bucket(), owner());
        if (subject().verifiesPrincipals()) {
            eventually(
                    () -> assertThat(store().verify(call(), bucket(), owner())).containsExactly(MissingPart.PRINCIPAL));
        }
        grant(bucket(), owner(), Access.readWrite());
        assertThat(store().verify(call(), bucket(), owner()))
                .as("granted again")
                .isEmpty();
        ProvisionedBucket published = grant(bucket(), owner(), Access.readWrite());
        Set<String> keys = Set.of(Contract.keyId(published));
        assertThat(store().verify(call(), bucket(), owner(), keys)).isEmpty();
        if (subject().verifiesPrincipals() && supports(Capability.ROTATE)) {
            ProvisionedBucket other = rotate(bucket(), owner(), published);
            rotating().retire(call(), bucket(), owner(), Set.of(Contract.keyId(other)));
            eventually(() -> assertThat(store().verify(call(), bucket(), owner(), keys))
                    .as("somebody deleted the key")
                    .containsExactly(MissingPart.KEY));
        }
        subject().deleteBucket(bucket());
        eventually(() -> assertThat(store().verify(call(), bucket(), owner())).contains(MissingPart.BUCKET));
    }

    @Test
    default void aBucketOfAnotherOwnerIsNotTheOwnOne() {
        needs(Capability.LIST);
        needs(Capability.RELEASE);
        needsObjects();
        BucketOwner other = newOwner();
        provision(bucket(), other);
        grant(bucket(), owner(), Access.readWrite());
        assertThat(store().verify(call(), bucket(), other)).isEmpty();
        assertThat(store().verify(call(), bucket(), owner())).containsExactly(MissingPart.OWNERSHIP);
        adopting().release(call(), bucket(), other);
        assertThat(store().verify(call(), bucket(), other))
                .as("released by itself")
                .isEmpty();
        assertThat(store().verify(call(), bucket(), owner())).containsExactly(MissingPart.OWNERSHIP);
        store().revoke(call(), bucket(), owner());
        assertThat(store().verify(call(), bucket(), owner())).contains(MissingPart.OWNERSHIP);
        BucketName untagged = foreignBucket();
        assertThat(store().verify(call(), untagged, owner()))
                .as("nobody knows whose it is")
                .doesNotContain(MissingPart.OWNERSHIP, MissingPart.BUCKET);
    }

    @Test
    default void everyBucketIsListedWithItsOwner() {
        needs(Capability.LIST);
        needs(Capability.RELEASE);
        BucketName released = newBucket();
        BucketName adopted = newBucket();
        BucketOwner former = newOwner();
        BucketOwner next = newOwner();
        provisionForClaim(bucket(), owner());
        provisionForClaim(released, former);
        adopting().release(call(), released, former);
        provisionForClaim(adopted, former);
        adopting().release(call(), adopted, former);
        adopting().adopt(call(), new AdoptRequest(adopted, next, false));

        Map<String, ListedBucket> buckets = listed();
        assertThat(tags(buckets, bucket())).contains(new OwnershipTags.Owned(owner(), CLAIM, Reclaim.ERASE));
        assertThat(tags(buckets, released)).containsInstanceOf(OwnershipTags.Released.class);
        assertThat(tags(buckets, adopted)).contains(new OwnershipTags.Adopted(next, ClaimIdentity.NONE));
        assertThat(buckets).doesNotContainKey(newBucket().text());
        assertThat(Optional.ofNullable(buckets.get(bucket().text())).flatMap(ListedBucket::created))
                .as("when the bucket was created, if the store tells")
                .matches(created -> created.isEmpty()
                        || Duration.between(created.get(), Instant.now()).abs().compareTo(Duration.ofHours(1)) < 0);
    }

    @Test
    default void aBucketIsFoundWithItsOwner() {
        needs(Capability.LIST);
        provisionForClaim(bucket(), owner());
        assertThat(listing().findBucket(call(), bucket()).map(ListedBucket::tags))
                .contains(new OwnershipTags.Owned(owner(), CLAIM, Reclaim.ERASE));
        assertThat(listing().findBucket(call(), newBucket())).isEmpty();
    }

    @Test
    default void aBucketWithoutOwnerIsListedToo() {
        needs(Capability.LIST);
        BucketName foreign = foreignBucket();
        assertThat(tags(listed(), foreign)).containsInstanceOf(OwnershipTags.Untagged.class);
        assertThat(listing().findBucket(call(), foreign).map(ListedBucket::tags))
                .containsInstanceOf(OwnershipTags.Untagged.class);
    }

    @Test
    default void aStoreThatCannotListBucketsSaysSo() {
        if (store() instanceof Listing && !store().capabilities().contains(Capability.LIST)) {
            assertThatThrownBy(() -> listing().listBuckets(call(), BucketPage.FIRST))
                    .isInstanceOf(Unsupported.class);
            assertThatThrownBy(() -> listing().findBucket(call(), bucket())).isInstanceOf(Unsupported.class);
        }
    }

    private void provisionForClaim(BucketName bucket, BucketOwner owner) {
        store().provision(
                        call(),
                        new ProvisionRequest(
                                bucket,
                                Naming.GIVEN,
                                owner,
                                CLAIM,
                                Reclaim.ERASE,
                                Access.none(),
                                BucketOptions.unmanaged(),
                                Set.of()));
    }

    private static Optional<OwnershipTags> tags(Map<String, ListedBucket> buckets, BucketName bucket) {
        return Optional.ofNullable(buckets.get(bucket.text())).map(ListedBucket::tags);
    }
}
