package io.bucketwright.store.s3.identity;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import software.amazon.awssdk.services.s3.S3Client;

/** The administrator's credentials act on every bucket. */
public record AdministratorClient(S3Client s3) implements BucketClients {

    @Override
    public S3Client find(StoreCall call, BucketName bucket) {
        return s3;
    }

    @Override
    public S3Client create(StoreCall call, BucketName bucket, BucketOwner owner) {
        return s3;
    }

    @Override
    public void deleted(StoreCall call, BucketName bucket, BucketOwner owner) {
        // Buckets have no accounts of their own.
    }

    @Override
    public void close() {
        s3.close();
    }
}
