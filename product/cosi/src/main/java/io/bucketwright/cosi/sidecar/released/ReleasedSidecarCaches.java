package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.core.GrantingBucket;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.CacheListener;
import io.bucketwright.runtime.cache.Index;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.store.grants.Grantee;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the sidecar sees of the released kinds: all of them, because they have no labels. Each lookup compares the driver. */
final class ReleasedSidecarCaches {

    final ObjectCache<ReleasedBucket> buckets;
    final ObjectCache<ReleasedBucketAccess> accesses;
    final ObjectCache<BucketClaim> claims;
    final ObjectCache<ReleasedBucketAccessClass> accessClasses;
    private final String driver;
    private final Index<ReleasedBucket> bucketsByClaim;
    private final Index<ReleasedBucket> bucketsByGrantee;
    private final Index<ReleasedBucketAccess> accessesByClaim;
    private final Index<ReleasedBucketAccess> accessesByClass;
    private final GrantLedgers ledgers = new GrantLedgers();

    ReleasedSidecarCaches(ObjectCaches caches, String driver) {
        this.driver = driver;
        // A part of its annotations would be without the records of accounts: they would be granted again, and never
        // revoked.
        buckets = caches.unlimitedWhole(ReleasedBucket.class, Scope.everything());
        accesses = caches.whole(ReleasedBucketAccess.class, Scope.everything());
        claims = caches.whole(BucketClaim.class, Scope.everything());
        accessClasses = caches.unlimited(ReleasedBucketAccessClass.class, Scope.everything());
        bucketsByClaim =
                buckets.indexBy(bucket -> List.of(ClaimReference.of(bucket).place()));
        bucketsByGrantee = buckets.indexBy(
                bucket -> ledgers.grantees(bucket).map(Grantee::uid).distinct().toList());
        accessesByClaim =
                accesses.indexBy(access -> List.of(ClaimReference.of(access).place()));
        accessesByClass = accesses.indexBy(access -> List.of(access.spec().bucketAccessClassName()));
        buckets.listen(new CacheListener<>() {
            @Override
            public void changed(ReleasedBucket before, ReleasedBucket after) {
                // The controllers watch changes themselves.
                if (isServed(after)) {
                    ledgers.learn(after);
                }
            }

            @Override
            public void deleted(ReleasedBucket last) {
                // What it has shown about the driver stays true.
            }
        });
    }

    boolean isDriver(String name) {
        return driver.equalsIgnoreCase(name);
    }

    boolean isServed(ReleasedBucket bucket) {
        return isDriver(bucket.spec().driverName());
    }

    boolean isServed(ReleasedBucketAccessClass accessClass) {
        return isDriver(accessClass.getDriverName());
    }

    /** The Bucket of the key, if it belongs to this driver. */
    Optional<ReleasedBucket> bucket(ObjectKey key) {
        return buckets.get("", key.name()).filter(key::names).filter(this::isServed);
    }

    /** The claim that the Bucket is bound to; never one that was created again under the same name. */
    Optional<BucketClaim> claimOf(ReleasedBucket bucket) {
        ClaimReference reference = ClaimReference.of(bucket);
        return reference.isEmpty()
                ? Optional.empty()
                : claims.get(reference.namespace(), reference.name()).filter(reference::names);
    }

    /** The claim of the name that the Bucket names, whichever uid it has. */
    Optional<BucketClaim> claimOfPlace(ReleasedBucket bucket) {
        ClaimReference reference = ClaimReference.of(bucket);
        return claims.get(reference.namespace(), reference.name());
    }

    /** Whether a Bucket of any driver is bound to the claim, or has the name that the claim has recorded or would get. */
    boolean hasBucket(BucketClaim claim) {
        return bucketsByClaim.get(ClaimReference.of(claim).place()).stream()
                        .anyMatch(bucket -> ClaimReference.of(bucket).names(claim))
                || buckets.get("", claim.status().bucketName()).isPresent()
                || buckets.get("", ReleasedNames.bucketOf(claim.getMetadata().getUid()))
                        .isPresent();
    }

    /** The claim that the Bucket is bound to. */
    Collection<ObjectKey> claimKeysOf(ReleasedBucket bucket) {
        return claimOf(bucket).map(ObjectKey::of).stream().toList();
    }

    /** The claim that the BucketAccess names. */
    Optional<BucketClaim> claimOf(ReleasedBucketAccess access) {
        ClaimReference reference = ClaimReference.of(access);
        return reference.name().isEmpty() ? Optional.empty() : claims.get(reference.namespace(), reference.name());
    }

    /** The Bucket that the claim names, whoever it belongs to; without a claim the one that is bound to its name. */
    Optional<ReleasedBucket> bucketOf(ReleasedBucketAccess access) {
        Optional<BucketClaim> claim = claimOf(access);
        return claim.isPresent()
                ? claim.map(found -> found.status().bucketName())
                        .filter(name -> !name.isEmpty())
                        .flatMap(name -> buckets.get("", name))
                : bucketsByClaim.get(ClaimReference.of(access).place()).stream().findFirst();
    }

    Optional<ReleasedBucketAccessClass> classOf(ReleasedBucketAccess access) {
        String name = access.spec().bucketAccessClassName();
        return name.isEmpty() ? Optional.empty() : accessClasses.get("", name);
    }

    /**
     * The BucketAccesses that have to do with the Bucket: those in its ledger, and those of the claim that it is bound to. Not
     * those of a later claim of the same name.
     */
    Stream<ReleasedBucketAccess> accessesOf(ReleasedBucket bucket) {
        Stream<ReleasedBucketAccess> recorded = ledgers.grantees(bucket)
                .flatMap(grantee -> accesses.get(grantee.namespace(), grantee.name()).stream()
                        .filter(access ->
                                grantee.uid().equals(access.getMetadata().getUid())));
        Stream<ReleasedBucketAccess> bound = claimOf(bucket).stream()
                .flatMap(claim -> accessesByClaim.get(ClaimReference.of(claim).place()).stream());
        return Stream.concat(recorded, bound).distinct();
    }

    /** The Buckets of this driver whose ledgers have the BucketAccess with this uid. */
    Stream<ReleasedBucket> bucketsWith(String accessUid) {
        return bucketsByGrantee.get(accessUid).stream().filter(this::isServed);
    }

    GrantingBucket granting(ReleasedBucket bucket) {
        return ledgers.granting(bucket);
    }

    boolean namesAreIds() {
        return ledgers.namesAreIds();
    }

    /** All BucketAccesses, and all that a ledger has, each once. */
    Stream<ObjectKey> grantees() {
        return Stream.concat(
                        accesses.list().stream().map(ObjectKey::of),
                        buckets.list().stream().filter(this::isServed).flatMap(this::recorded))
                .distinct();
    }

    private Stream<ObjectKey> recorded(ReleasedBucket bucket) {
        return ledgers.grantees(bucket)
                .map(grantee -> new ObjectKey(grantee.namespace(), grantee.name(), grantee.uid()));
    }

    /** The BucketAccesses that a change of the Bucket matters to. */
    Collection<ObjectKey> granteesOf(ReleasedBucket bucket) {
        Stream<ObjectKey> named =
                accessesByClaim.get(ClaimReference.of(bucket).place()).stream().map(ObjectKey::of);
        return Stream.concat(isServed(bucket) ? recorded(bucket) : Stream.empty(), named)
                .collect(Collectors.toUnmodifiableSet());
    }

    Collection<ObjectKey> accessKeysOf(BucketClaim claim) {
        return accessesByClaim.get(ClaimReference.of(claim).place()).stream()
                .map(ObjectKey::of)
                .toList();
    }

    Collection<ObjectKey> accessKeysOf(ReleasedBucketAccessClass accessClass) {
        return accessesByClass.get(accessClass.getMetadata().getName()).stream()
                .map(ObjectKey::of)
                .toList();
    }

    Collection<ObjectKey> bucketKeysOf(ReleasedBucketAccess access) {
        return bucketKeys(ClaimReference.of(access));
    }

    Collection<ObjectKey> bucketKeysOf(BucketClaim claim) {
        return bucketKeys(ClaimReference.of(claim));
    }

    private Collection<ObjectKey> bucketKeys(ClaimReference reference) {
        return bucketsByClaim.get(reference.place()).stream()
                .filter(this::isServed)
                .map(ObjectKey::of)
                .toList();
    }
}
