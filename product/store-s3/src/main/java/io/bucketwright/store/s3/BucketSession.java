package io.bucketwright.store.s3;

import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.s3.client.S3Parameters;
import io.bucketwright.store.s3.identity.Identity;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The requests to one bucket during one call, with the credentials that the store's {@link Identity} chooses for the bucket.
 */
record BucketSession(Buckets buckets, BucketContents contents, BucketSettings settings) {

    /** Opens sessions of a store. */
    record Factory(Identity identity, S3Parameters parameters, Duration slice) {

        /** A session for a bucket that may exist. */
        BucketSession find(StoreCall call, BucketName bucket) {
            return open(call, bucket, identity.clients().find(call, bucket));
        }

        /** As {@link #find}; empty if the account that owns the bucket has no credentials. */
        Optional<BucketSession> findUsable(StoreCall call, BucketName bucket) {
            return identity.clients().findUsable(call, bucket).map(s3 -> open(call, bucket, s3));
        }

        /** A session that creates a bucket. */
        BucketSession create(StoreCall call, ProvisionRequest request) {
            return open(call, request.bucket(), identity.clients().create(call, request));
        }

        /**
         * Whether a request to create a bucket succeeds if the account has that bucket, and changes it: the first region of AWS
         * does so.
         */
        boolean createsAgain() {
            return parameters.iam().onAws() && parameters.region().equals("us-east-1");
        }

        /** Whether the bucket belongs to an account that was created for this owner. */
        boolean isCreatedFor(StoreCall call, BucketName bucket, BucketOwner owner) {
            return identity.clients().isCreatedFor(call, bucket, owner);
        }

        private BucketSession open(StoreCall call, BucketName name, S3Client s3) {
            SessionBucket bucket = new SessionBucket(call, s3, name);
            Buckets buckets = new Buckets(bucket, parameters.region());
            return new BucketSession(
                    buckets,
                    new BucketContents(bucket, slice),
                    new BucketSettings(
                            bucket, buckets, identity.clients().policies(s3), identity.quotas(), parameters));
        }
    }
}
