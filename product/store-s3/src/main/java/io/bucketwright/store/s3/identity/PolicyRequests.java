package io.bucketwright.store.s3.identity;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.Absence;
import io.bucketwright.store.s3.client.StoreRequest;
import java.util.Optional;
import java.util.function.Predicate;
import software.amazon.awssdk.services.s3.S3Client;

/** The policies of buckets as the S3 API has them. */
public record PolicyRequests(S3Client s3) implements PolicyDocuments {

    @Override
    public Optional<String> find(StoreCall call, BucketName bucket) {
        String action = "read the policy of " + bucket;
        return Absence.toEmpty(() -> StoreRequest.send(
                        call, action, () -> s3.getBucketPolicy(request -> request.bucket(bucket.text()))))
                .map(response -> Optional.ofNullable(response.policy())
                        .filter(Predicate.not(String::isBlank))
                        .orElseThrow(() -> StoreRequest.emptyResponse(action)));
    }

    @Override
    public void put(StoreCall call, BucketName bucket, String json) {
        StoreRequest.send(
                call,
                "set the policy of " + bucket,
                () -> s3.putBucketPolicy(
                        request -> request.bucket(bucket.text()).policy(json)));
    }

    @Override
    public void delete(StoreCall call, BucketName bucket) {
        StoreRequest.send(
                call,
                "delete the policy of " + bucket,
                () -> s3.deleteBucketPolicy(request -> request.bucket(bucket.text())));
    }
}
