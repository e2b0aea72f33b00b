package io.bucketwright.store.s3;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.s3.client.StoreRequest;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.PublicAccessBlockConfiguration;

/**
 * The public access block of buckets. AWS gives every new bucket one that rejects public policies and ACLs. It has two
 * halves: one for policies, one for ACLs. Only what an option needs is opened.
 *
 * @param managed whether the class lets the controller change it
 */
record PublicAccess(S3Client s3, boolean managed) {

    void policies(StoreCall call, BucketName bucket, boolean allowed) {
        change(call, bucket, block -> block.blockPublicPolicy(!allowed).restrictPublicBuckets(!allowed));
    }

    void acls(StoreCall call, BucketName bucket, boolean allowed) {
        change(call, bucket, block -> block.blockPublicAcls(!allowed).ignorePublicAcls(!allowed));
    }

    private void change(StoreCall call, BucketName bucket, UnaryOperator<PublicAccessBlockConfiguration.Builder> half) {
        if (managed) {
            PublicAccessBlockConfiguration current = read(call, bucket);
            PublicAccessBlockConfiguration wanted =
                    half.apply(current.toBuilder()).build();
            if (!wanted.equals(current)) {
                put(call, bucket, wanted);
            }
        }
    }

    private PublicAccessBlockConfiguration read(StoreCall call, BucketName bucket) {
        try {
            return StoreRequest.send(
                    call,
                    "read the public access block of " + bucket,
                    limits -> s3.getPublicAccessBlock(
                                    request -> request.bucket(bucket.text()).overrideConfiguration(limits))
                            .publicAccessBlockConfiguration());
        } catch (NotFound none) {
            return PublicAccessBlockConfiguration.builder()
                    .blockPublicAcls(false)
                    .ignorePublicAcls(false)
                    .blockPublicPolicy(false)
                    .restrictPublicBuckets(false)
                    .build();
        }
    }

    private void put(StoreCall call, BucketName bucket, PublicAccessBlockConfiguration wanted) {
        StoreRequest.send(
                call,
                "set the public access block of " + bucket,
                limits -> s3.putPublicAccessBlock(request -> request.bucket(bucket.text())
                        .publicAccessBlockConfiguration(wanted)
                        .overrideConfiguration(limits)));
    }
}
