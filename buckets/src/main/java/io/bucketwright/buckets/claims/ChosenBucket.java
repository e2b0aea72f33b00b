package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Optional;

/** Which bucket a claim gets, before anything is made. */
record ChosenBucket(BucketName name, BucketOrigin origin, Naming naming) {

    /**
     * The rules of the claim's three names, and of the class's.
     *
     * @param marked whether our finalizer is on the claim: then names may be our own writing, and are not judged again
     * @throws Invalid if there is no name, a bad one, or one where none belongs
     */
    static ChosenBucket of(ObjectBucketClaim claim, BucketClass bucketClass, String clusterId, boolean marked) {
        ObjectBucketClaimSpec spec = claim.getSpec();
        Optional<BucketName> existing = bucketClass.existingBucket();
        if (existing.isPresent()) {
            boolean named = spec.bucketPrefix().isPresent()
                    || spec.bucket()
                            .filter(name -> !name.equals(existing.get().text()))
                            .isPresent();
            if (named && !marked) {
                throw new Invalid("The class " + bucketClass.name()
                        + " gives access to an existing bucket: remove bucketName and generateBucketName from the claim,"
                        + " or use a class that makes buckets");
            }
            return new ChosenBucket(existing.get(), BucketOrigin.EXISTING, Naming.GIVEN);
        }
        Optional<String> given = spec.bucket();
        if (given.isPresent()) {
            BucketName name = new BucketName(given.get());
            String namespace = claim.getMetadata().getNamespace();
            BucketOrigin origin = bucketClass.adopts(name.text(), namespace) ? BucketOrigin.EXISTING : BucketOrigin.NEW;
            return new ChosenBucket(
                    name, origin, naming(name.text(), claim.getMetadata().getUid(), clusterId));
        }
        String prefix = spec.bucketPrefix()
                .orElseThrow(() -> new Invalid("The claim needs a name for its bucket: set generateBucketName or"
                        + " bucketName, or use a class whose parameter bucketName names an existing bucket"));
        BucketName made = BucketName.generate(
                prefix, new UidRandom(clusterId, claim.getMetadata().getUid()));
        return new ChosenBucket(made, BucketOrigin.NEW, Naming.GENERATED);
    }

    /** A name that ends as only this claim's made-up names do was made up; nobody could have chosen it beforehand. */
    static Naming naming(String bucket, String uid, String clusterId) {
        String made = BucketName.generate("x", new UidRandom(clusterId, uid)).text();
        return bucket.endsWith(made.substring(1)) ? Naming.GENERATED : Naming.GIVEN;
    }
}
