package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketEndpoint;
import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.stores.BucketRelease;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.runtime.cache.Index;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.observation.MeasuredStore;
import io.bucketwright.store.options.Capability;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Who else uses the bucket of a claim. A bucket that others use is neither deleted nor erased. Names alone do not prove that
 * two classes mean the same bucket, and addresses do not prove that they mean different ones: the store is asked.
 *
 * @param users the ObjectBuckets by {@link #usedBucket}
 */
record BucketSharing(StoreSource stores, Index<ObjectBucket> users) {

    /**
     * Other claims that use a bucket.
     *
     * @param number how many use a bucket of that name
     * @param proven whether it is certain that it is the same bucket; otherwise a store may tell later
     */
    record Users(int number, boolean proven) {}

    /**
     * The name of the bucket that an ObjectBucket uses and that was not created for its claim. A bucket that was created for
     * another claim has the ownership tag of that claim, so that nobody else can destroy it. A claim that only requested a
     * bucket of that name has no access, and must not block the owner's deletion. Of ObjectBuckets of other provisioners it is
     * not known who created the bucket.
     */
    static List<String> usedBucket(ObjectBucket bucket) {
        Optional<BucketIntent> intent = bucket.getSpec().recordedIntent();
        return intent.isPresent()
                ? intent.filter(recorded -> hasAccess(bucket, recorded)).map(BucketIntent::bucketName).stream()
                        .toList()
                : bucket.getSpec().reachableAt().flatMap(BucketEndpoint::bucket).stream()
                        .toList();
    }

    private static boolean hasAccess(ObjectBucket bucket, BucketIntent intent) {
        boolean existing =
                intent.bucketOrigin().filter(BucketOrigin.EXISTING::equals).isPresent();
        boolean namedByClass = !intent.parameters()
                .getOrDefault(ClassParameters.BUCKET_NAME, "")
                .isBlank();
        return existing && (namedByClass || new RecordedBucket(bucket).complete());
    }

    /** How many other claims use a bucket of that name, perhaps in another store. */
    int count(String bucket) {
        return users.get(bucket).size();
    }

    /**
     * The other claims that use the bucket of this owner; empty if it is proven that none does. Each class with users is asked
     * once, whatever their number: if the store of the class has a bucket of that name that is tagged with this owner, it is
     * the same bucket.
     */
    Optional<Users> others(StoreCall call, BucketName bucket, BucketOwner owner) {
        List<ObjectBucket> using = users.get(bucket.text());
        Set<String> classes = new HashSet<>();
        for (ObjectBucket user : using) {
            Optional<BucketIntent> intent = user.getSpec().recordedIntent();
            if (intent.isEmpty() || classes.add(intent.get().storageClassUid())) {
                Optional<Boolean> same = intent.flatMap(recorded -> isSame(call, recorded, bucket, owner));
                if (same.orElse(true)) {
                    return Optional.of(new Users(using.size(), same.isPresent()));
                }
            }
        }
        return Optional.empty();
    }

    /** Whether the class means the same bucket; empty if its store does not tell. */
    private Optional<Boolean> isSame(StoreCall call, BucketIntent intent, BucketName bucket, BucketOwner owner) {
        try {
            return stores.of(stores.recorded(intent)).use(store -> isSame(call, store, bucket, owner));
        } catch (StoreException unknown) {
            return Optional.empty();
        }
    }

    /** Tags that cannot be read prove nothing: the key may have been revoked, or lack the permission to read them. */
    private static Optional<Boolean> isSame(StoreCall call, MeasuredStore store, BucketName bucket, BucketOwner owner) {
        if (!store.capabilities().contains(Capability.LIST)) {
            return Optional.empty();
        }
        Optional<OwnershipTags> tags = BucketRelease.tags(store, call, bucket);
        return tags.filter(OwnershipTags.Unreadable.class::isInstance).isPresent()
                ? Optional.empty()
                : Optional.of(tags.flatMap(OwnershipTags::currentOwner)
                        .filter(owner::equals)
                        .isPresent());
    }
}
