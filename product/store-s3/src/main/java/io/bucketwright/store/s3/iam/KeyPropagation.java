package io.bucketwright.store.s3.iam;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.s3.client.AwsClients;
import io.bucketwright.store.s3.client.StoreRequest;
import java.time.Duration;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Waits until S3 accepts a new access key. On AWS that takes seconds, and an application that starts before fails. The wait
 * is limited: a key that is not yet accepted then is issued anyway, because another attempt would create another key.
 *
 * @param longest how long to wait at most; zero not to wait
 */
record KeyPropagation(AwsClients clients, Duration longest) {

    private static final Duration PAUSE = Duration.ofMillis(500);

    /** The rest of the call needs time too. */
    private static final Duration RESERVE = Duration.ofSeconds(2);

    void await(StoreCall call, BucketName bucket, SecretValue keyId, SecretValue secret) {
        if (longest.isZero()) {
            return;
        }
        long deadline = System.nanoTime() + longest.toNanos();
        try (S3Client s3 = clients.s3(keyId, secret)) {
            while (!isAccepted(call, bucket, s3)
                    && System.nanoTime() < deadline
                    && call.remaining().compareTo(RESERVE) > 0) {
                call.pause(PAUSE);
            }
        }
    }

    /** With an operation that every principal may use. */
    private static boolean isAccepted(StoreCall call, BucketName bucket, S3Client s3) {
        try {
            StoreRequest.send(
                    call,
                    "use the new access key for " + bucket,
                    () -> s3.getBucketLocation(request -> request.bucket(bucket.text())));
            return true;
        } catch (Denied | Unavailable notYet) {
            return false;
        }
    }
}
