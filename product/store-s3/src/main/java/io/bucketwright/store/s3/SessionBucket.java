package io.bucketwright.store.s3;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.s3.client.StoreRequest;
import java.util.function.Function;
import software.amazon.awssdk.services.s3.S3Client;

/** The bucket of a {@link BucketSession}, and how requests for it are sent. Prints as its name. */
record SessionBucket(StoreCall call, S3Client s3, BucketName name) {

    String text() {
        return name.text();
    }

    /**
     * Sends a request.
     *
     * @param action completes the sentence "Could not …"
     */
    <T> T send(String action, Function<S3Client, T> request) {
        return StoreRequest.send(call, action, () -> request.apply(s3));
    }

    @Override
    public String toString() {
        return name.toString();
    }
}
