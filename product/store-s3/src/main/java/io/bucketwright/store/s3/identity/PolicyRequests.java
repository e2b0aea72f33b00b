package io.bucketwright.store.s3.identity;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.s3.client.StoreRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;

/** The policies of buckets as the S3 API has them. */
public record PolicyRequests(S3Client s3) implements PolicyDocuments {

    @Override
    public Optional<String> find(StoreCall call, BucketName bucket) {
        String action = "read the policy of " + bucket;
        try {
            @Nullable
            String policy = StoreRequest.send(
                    call,
                    action,
                    limits -> s3.getBucketPolicy(
                                    request -> request.bucket(bucket.text()).overrideConfiguration(limits))
                            .policy());
            if (policy == null || policy.isBlank()) {
                throw StoreRequest.emptyResponse(action);
            }
            return Optional.of(policy);
        } catch (NotFound none) {
            return Optional.empty();
        }
    }

    @Override
    public void put(StoreCall call, BucketName bucket, String json) {
        StoreRequest.send(
                call,
                "set the policy of " + bucket,
                limits -> s3.putBucketPolicy(
                        request -> request.bucket(bucket.text()).policy(json).overrideConfiguration(limits)));
    }

    @Override
    public void delete(StoreCall call, BucketName bucket) {
        StoreRequest.send(
                call,
                "delete the policy of " + bucket,
                limits -> s3.deleteBucketPolicy(
                        request -> request.bucket(bucket.text()).overrideConfiguration(limits)));
    }
}
