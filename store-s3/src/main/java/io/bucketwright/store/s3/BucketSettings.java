package io.bucketwright.store.s3;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import io.bucketwright.store.options.BucketOption.CannedAcl;
import io.bucketwright.store.options.BucketOption.Cors;
import io.bucketwright.store.options.BucketOption.Lifecycle;
import io.bucketwright.store.options.BucketOption.ObjectLock;
import io.bucketwright.store.options.BucketOption.Policy;
import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.options.BucketOption.Tags;
import io.bucketwright.store.options.BucketOption.Versioning;
import java.util.List;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.CORSConfiguration;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.ObjectLockEnabled;
import software.amazon.awssdk.services.s3.model.ObjectLockRetentionMode;
import software.amazon.awssdk.services.s3.model.ObjectOwnership;
import software.amazon.awssdk.services.s3.model.OwnershipControls;
import software.amazon.awssdk.services.s3.model.OwnershipControlsRule;
import software.amazon.awssdk.services.s3.model.PutBucketAclRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Sets options of buckets. Settings without an option are left unchanged. */
record BucketSettings(S3Client s3, Buckets buckets) {

    void apply(StoreCall call, BucketName bucket, BucketOption option) {
        switch (option) {
            case Quota _ -> throw new Unsupported("S3 does not support quotas.");
            case Versioning versioning -> versioning(call, bucket, versioning);
            case ObjectLock lock -> objectLock(call, bucket, lock);
            case Lifecycle lifecycle -> lifecycle(call, bucket, lifecycle);
            case Policy policy -> new BucketPolicies(s3).put(call, bucket, policy.json());
            case Cors cors -> cors(call, bucket, cors);
            case Tags tags -> buckets.addTags(call, bucket, tags.tags());
            case CannedAcl acl -> cannedAcl(call, bucket, acl);
            case AnonymousAccess anonymous -> new BucketPolicies(s3).setAnonymousAccess(call, bucket, anonymous);
        }
    }

    private void versioning(StoreCall call, BucketName bucket, Versioning versioning) {
        BucketVersioningStatus status =
                versioning.enabled() ? BucketVersioningStatus.ENABLED : BucketVersioningStatus.SUSPENDED;
        StoreRequest.send(
                call,
                "set versioning of " + bucket,
                limits -> s3.putBucketVersioning(request -> request.bucket(bucket.text())
                        .versioningConfiguration(configuration -> configuration.status(status))
                        .overrideConfiguration(limits)));
    }

    private void objectLock(StoreCall call, BucketName bucket, ObjectLock lock) {
        StoreRequest.send(
                call,
                "set the object lock of " + bucket,
                limits -> s3.putObjectLockConfiguration(request -> request.bucket(bucket.text())
                        .objectLockConfiguration(configuration -> {
                            configuration.objectLockEnabled(ObjectLockEnabled.ENABLED);
                            if (lock.days() > 0) {
                                configuration.rule(rule -> rule.defaultRetention(retention -> retention
                                        .mode(ObjectLockRetentionMode.fromValue(
                                                lock.mode().name()))
                                        .days(lock.days())));
                            }
                        })
                        .overrideConfiguration(limits)));
    }

    private void lifecycle(StoreCall call, BucketName bucket, Lifecycle lifecycle) {
        List<LifecycleRule> rules = LifecycleJson.rules(lifecycle.json());
        StoreRequest.send(
                call,
                "set the lifecycle of " + bucket,
                limits -> s3.putBucketLifecycleConfiguration(request -> request.bucket(bucket.text())
                        .lifecycleConfiguration(configuration -> configuration.rules(rules))
                        .overrideConfiguration(limits)));
    }

    private void cors(StoreCall call, BucketName bucket, Cors cors) {
        CORSConfiguration configuration = CorsJson.configuration(cors.json());
        StoreRequest.send(
                call,
                "set CORS of " + bucket,
                limits -> s3.putBucketCors(request -> request.bucket(bucket.text())
                        .corsConfiguration(configuration)
                        .overrideConfiguration(limits)));
    }

    private void cannedAcl(StoreCall call, BucketName bucket, CannedAcl acl) {
        if (acl != CannedAcl.PRIVATE) {
            OwnershipControlsRule preferred = OwnershipControlsRule.builder()
                    .objectOwnership(ObjectOwnership.BUCKET_OWNER_PREFERRED)
                    .build();
            // New buckets reject ACLs until object ownership is changed.
            StoreRequest.send(
                    call,
                    "allow ACLs on " + bucket,
                    limits -> s3.putBucketOwnershipControls(request -> request.bucket(bucket.text())
                            .ownershipControls(
                                    OwnershipControls.builder().rules(preferred).build())
                            .overrideConfiguration(limits)));
        }
        StoreRequest.send(
                call,
                "set the ACL of " + bucket,
                limits -> putAcl(
                        acl,
                        PutBucketAclRequest.builder()
                                .bucket(bucket.text())
                                .acl(acl.s3Name())
                                .overrideConfiguration(limits)
                                .build()));
    }

    /** A bucket that rejects ACLs is private already. */
    private boolean putAcl(CannedAcl acl, PutBucketAclRequest request) {
        try {
            s3.putBucketAcl(request);
        } catch (S3Exception e) {
            if (acl != CannedAcl.PRIVATE || !StoreRequest.code(e).equals("AccessControlListNotSupported")) {
                throw e;
            }
        }
        return true;
    }
}
