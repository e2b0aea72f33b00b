package io.bucketwright.buckets.objects;

import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.NewBucketName;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/** The bucket that a claim requests: its name, and whether it is new or exists already. */
public record RequestedBucket(BucketName name, BucketOrigin origin) {

    /**
     * Applies the rules for the names in the claim and in its class.
     *
     * @param hasFinalizer whether the claim has the finalizer: then the controller may have written the names itself,
     *     and they are not validated again
     * @throws Invalid if no name is given, or one that is invalid or not allowed
     */
    public static RequestedBucket of(
            ObjectBucketClaim claim, BucketClass bucketClass, String clusterId, boolean hasFinalizer) {
        ObjectBucketClaimSpec spec = claim.getSpec();
        Optional<BucketName> existing = bucketClass.existingBucket();
        if (existing.isPresent()) {
            boolean named = spec.bucketPrefix().isPresent()
                    || spec.bucket()
                            .filter(name -> !name.equals(existing.get().text()))
                            .isPresent();
            if (named && !hasFinalizer) {
                throw new Invalid("The class " + bucketClass.name()
                        + " gives access to an existing bucket: remove bucketName and generateBucketName from the claim,"
                        + " or use a class that creates buckets");
            }
            return new RequestedBucket(existing.get(), BucketOrigin.EXISTING);
        }
        Optional<String> given = spec.bucket();
        if (given.isPresent()) {
            BucketName name = new BucketName(given.get());
            String namespace = claim.getMetadata().getNamespace();
            boolean generated = naming(name.text(), claim.getMetadata().getUid(), clusterId) == Naming.GENERATED;
            return !generated && bucketClass.adopts(name.text(), namespace)
                    ? new RequestedBucket(name, BucketOrigin.EXISTING)
                    : new RequestedBucket(new NewBucketName(name).name(), BucketOrigin.NEW);
        }
        String prefix = spec.bucketPrefix()
                .orElseThrow(() -> new Invalid("The claim needs a name for its bucket: set generateBucketName or"
                        + " bucketName, or use a class whose parameter bucketName names an existing bucket"));
        String ofClass = bucketClass.namePrefix(claim.getMetadata().getNamespace());
        if (ofClass.length() >= BucketName.MAX_PREFIX) {
            throw new Invalid("The parameter namePrefix of the class " + bucketClass.name() + " is "
                    + InputText.quote(ofClass) + " in this namespace, which is too long for generated names: set"
                    + " bucketName");
        }
        boolean hasPrefix = prefix.toLowerCase(Locale.ROOT).startsWith(ofClass);
        BucketName generated = BucketName.generate(
                hasPrefix ? prefix : ofClass + prefix,
                random(clusterId, claim.getMetadata().getUid()));
        return new RequestedBucket(generated, BucketOrigin.NEW);
    }

    /** Only names generated for this claim end with these characters; nobody could have chosen them beforehand. */
    public static Naming naming(String bucket, String uid, String clusterId) {
        String generated = BucketName.generate("x", random(clusterId, uid)).text();
        return bucket.endsWith(generated.substring(1)) ? Naming.GENERATED : Naming.GIVEN;
    }

    /**
     * Random characters for generated bucket names, derived from the claim's uid, which the API server chose at random.
     * The name is therefore the same after a crash, nobody can predict it before the claim exists, and nobody can choose
     * a name that looks as if it had been generated for another claim.
     */
    private static RandomGenerator random(String clusterId, String uid) {
        AtomicInteger counter = new AtomicInteger();
        return () -> ByteBuffer.wrap(ContentDigest.sha256(clusterId + "/" + uid + "/" + counter.getAndIncrement()))
                .getLong();
    }
}
