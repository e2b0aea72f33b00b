package io.bucketwright.store.s3;

import io.bucketwright.store.errors.Absence;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.services.s3.model.PublicAccessBlockConfiguration;

/**
 * The public access block of buckets. AWS gives every new bucket one that rejects public policies and ACLs. It has two
 * halves: one for policies, one for ACLs. Only what an option needs is opened.
 *
 * @param managed whether the class lets the controller change it
 */
record PublicAccess(SessionBucket bucket, boolean managed) {

    void policies(boolean allowed) {
        change(block -> block.blockPublicPolicy(!allowed).restrictPublicBuckets(!allowed));
    }

    void acls(boolean allowed) {
        change(block -> block.blockPublicAcls(!allowed).ignorePublicAcls(!allowed));
    }

    private void change(UnaryOperator<PublicAccessBlockConfiguration.Builder> half) {
        if (managed) {
            PublicAccessBlockConfiguration current = read();
            PublicAccessBlockConfiguration wanted =
                    half.apply(current.toBuilder()).build();
            if (!wanted.equals(current)) {
                put(wanted);
            }
        }
    }

    private PublicAccessBlockConfiguration read() {
        return Absence.toEmpty(() -> bucket.send(
                        "read the public access block of " + bucket,
                        s3 -> s3.getPublicAccessBlock(request -> request.bucket(bucket.text()))
                                .publicAccessBlockConfiguration()))
                .orElseGet(() -> PublicAccessBlockConfiguration.builder()
                        .blockPublicAcls(false)
                        .ignorePublicAcls(false)
                        .blockPublicPolicy(false)
                        .restrictPublicBuckets(false)
                        .build());
    }

    private void put(PublicAccessBlockConfiguration wanted) {
        bucket.send(
                "set the public access block of " + bucket,
                s3 -> s3.putPublicAccessBlock(
                        request -> request.bucket(bucket.text()).publicAccessBlockConfiguration(wanted)));
    }
}
