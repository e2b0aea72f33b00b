package io.bucketwright.store.s3;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.AllowedOptions;
import io.bucketwright.store.options.AppliedOptions;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import io.bucketwright.store.options.BucketOption.CannedAcl;
import io.bucketwright.store.options.BucketOption.Cors;
import io.bucketwright.store.options.BucketOption.Lifecycle;
import io.bucketwright.store.options.BucketOption.ObjectLock;
import io.bucketwright.store.options.BucketOption.OwningUser;
import io.bucketwright.store.options.BucketOption.Policy;
import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.options.BucketOption.Tags;
import io.bucketwright.store.options.BucketOption.Versioning;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.s3.client.BucketDefaults;
import io.bucketwright.store.s3.client.S3Parameters;
import io.bucketwright.store.s3.client.StoreRequest;
import io.bucketwright.store.s3.identity.BucketQuotas;
import io.bucketwright.store.s3.identity.PolicyDocuments;
import java.util.List;
import java.util.Set;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.CORSConfiguration;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.ObjectLockConfiguration;
import software.amazon.awssdk.services.s3.model.ObjectLockEnabled;
import software.amazon.awssdk.services.s3.model.ObjectLockRetentionMode;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;
import software.amazon.awssdk.services.s3.model.ServerSideEncryptionRule;

/** Sets and removes options of buckets. Settings without an option are left unchanged. */
record BucketSettings(
        S3Client s3, Buckets buckets, PolicyDocuments documents, BucketQuotas quotas, S3Parameters parameters) {

    BucketPolicies policies() {
        return new BucketPolicies(documents, parameters.iam().partition());
    }

    private PublicAccess publicAccess() {
        return new PublicAccess(s3, parameters.bucketDefaults().publicAccessBlock());
    }

    /** Sets the default encryption of the class. */
    void encrypt(StoreCall call, BucketName bucket) {
        BucketDefaults defaults = parameters.bucketDefaults();
        if (defaults.encryption() == BucketDefaults.Encryption.UNMANAGED) {
            return;
        }
        boolean kms = defaults.encryption() == BucketDefaults.Encryption.SSE_KMS;
        ServerSideEncryptionRule.Builder rule = ServerSideEncryptionRule.builder()
                .applyServerSideEncryptionByDefault(byDefault -> {
                    byDefault.sseAlgorithm(kms ? ServerSideEncryption.AWS_KMS : ServerSideEncryption.AES256);
                    if (!defaults.kmsKey().isEmpty()) {
                        byDefault.kmsMasterKeyID(defaults.kmsKey());
                    }
                });
        if (kms) {
            rule.bucketKeyEnabled(true);
        }
        StoreRequest.send(
                call,
                "set the default encryption of " + bucket,
                limits -> s3.putBucketEncryption(request -> request.bucket(bucket.text())
                        .serverSideEncryptionConfiguration(configuration -> configuration.rules(rule.build()))
                        .overrideConfiguration(limits)));
    }

    BucketAcls acls() {
        return new BucketAcls(s3);
    }

    void apply(StoreCall call, BucketName bucket, BucketOption option) {
        switch (option) {
            // A property of the bucket from its creation on, which the store checks.
            case OwningUser _ -> {}
            case Quota quota -> quotas.set(call, bucket, quota);
            case Versioning versioning -> versioning(call, bucket, versioning);
            case ObjectLock lock -> objectLock(call, bucket, lock);
            case Lifecycle lifecycle -> lifecycle(call, bucket, lifecycle);
            case Policy policy -> {
                publicAccess().policies(call, bucket, BucketPolicies.allows(policy.json()));
                policies().putRaw(call, bucket, policy.json());
            }
            case Cors cors -> cors(call, bucket, cors);
            case Tags tags -> buckets.addTags(call, bucket, tags.tags());
            case CannedAcl acl -> {
                publicAccess().acls(call, bucket, acl != CannedAcl.PRIVATE);
                acls().put(call, bucket, acl);
            }
            case AnonymousAccess anonymous -> {
                publicAccess().policies(call, bucket, anonymous != AnonymousAccess.PRIVATE);
                policies().setAnonymousAccess(call, bucket, anonymous);
            }
        }
    }

    /**
     * Removes options that were set before. What the store does not support cannot be set. Versioning cannot be removed,
     * only suspended; an object lock cannot be removed, only its default retention; the user that owns the bucket stays.
     */
    void remove(StoreCall call, BucketName bucket, AppliedOptions removed) {
        for (Capability kind : removed.kinds()) {
            try {
                remove(call, bucket, kind, removed.tags());
            } catch (Unsupported neverSet) {
                // Nothing to remove.
            }
        }
    }

    private void remove(StoreCall call, BucketName bucket, Capability kind, Set<String> tags) {
        switch (kind) {
            case QUOTA -> quotas.clear(call, bucket);
            case VERSIONING -> suspendVersioning(call, bucket);
            case OBJECT_LOCK -> removeRetention(call, bucket);
            case LIFECYCLE ->
                StoreRequest.send(
                        call,
                        "remove the lifecycle of " + bucket,
                        limits -> s3.deleteBucketLifecycle(
                                request -> request.bucket(bucket.text()).overrideConfiguration(limits)));
            case CORS ->
                StoreRequest.send(
                        call,
                        "remove CORS of " + bucket,
                        limits -> s3.deleteBucketCors(
                                request -> request.bucket(bucket.text()).overrideConfiguration(limits)));
            case POLICY -> {
                policies().removeRaw(call, bucket);
                publicAccess().policies(call, bucket, false);
            }
            case ANONYMOUS_ACCESS -> {
                policies().removeAnonymousAccess(call, bucket);
                publicAccess().policies(call, bucket, false);
            }
            case CANNED_ACL -> {
                boolean open = acls().allowsAccess(call, bucket);
                acls().put(call, bucket, CannedAcl.PRIVATE);
                publicAccess().acls(call, bucket, false);
                // A store that has no ACLs may also not know the request that disables them.
                if (open) {
                    acls().disable(call, bucket);
                }
            }
            case TAGS -> buckets.removeTags(call, bucket, tags);
            case BUCKET_OWNER -> {}
            default -> throw new Unsupported("S3 has no option " + AllowedOptions.nameOf(kind) + ".");
        }
    }

    private void removeRetention(StoreCall call, BucketName bucket) {
        ObjectLockConfiguration current;
        try {
            current = StoreRequest.send(
                    call,
                    "read the object lock of " + bucket,
                    limits -> s3.getObjectLockConfiguration(
                                    request -> request.bucket(bucket.text()).overrideConfiguration(limits))
                            .objectLockConfiguration());
        } catch (NotFound noLock) {
            return;
        }
        if (current != null && current.rule() != null) {
            objectLock(call, bucket, new ObjectLock(ObjectLock.Mode.ENABLED, 0));
        }
    }

    private void suspendVersioning(StoreCall call, BucketName bucket) {
        BucketVersioningStatus current = StoreRequest.send(
                call,
                "read versioning of " + bucket,
                limits -> s3.getBucketVersioning(
                                request -> request.bucket(bucket.text()).overrideConfiguration(limits))
                        .status());
        if (current == BucketVersioningStatus.ENABLED) {
            versioning(call, bucket, new Versioning(false));
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
}
