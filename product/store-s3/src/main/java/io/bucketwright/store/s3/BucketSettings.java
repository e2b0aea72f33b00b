package io.bucketwright.store.s3;

import io.bucketwright.store.errors.Absence;
import io.bucketwright.store.errors.StoreException.Unsupported;
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
import io.bucketwright.store.s3.identity.BucketQuotas;
import io.bucketwright.store.s3.identity.PolicyDocuments;
import java.util.List;
import java.util.Set;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.CORSRule;
import software.amazon.awssdk.services.s3.model.GetObjectLockConfigurationResponse;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.ObjectLockConfiguration;
import software.amazon.awssdk.services.s3.model.ObjectLockEnabled;
import software.amazon.awssdk.services.s3.model.ObjectLockRetentionMode;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;
import software.amazon.awssdk.services.s3.model.ServerSideEncryptionRule;

/** Sets and removes options of buckets. Settings without an option are left unchanged. */
record BucketSettings(
        SessionBucket bucket,
        Buckets buckets,
        PolicyDocuments documents,
        BucketQuotas quotas,
        S3Parameters parameters) {

    BucketPolicies policies() {
        return new BucketPolicies(bucket, documents, parameters.iam().partition());
    }

    private PublicAccess publicAccess() {
        return new PublicAccess(bucket, parameters.bucketDefaults().publicAccessBlock());
    }

    /** Sets the default encryption of the class. */
    void encrypt() {
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
        bucket.send(
                "set the default encryption of " + bucket,
                s3 -> s3.putBucketEncryption(request -> request.bucket(bucket.text())
                        .serverSideEncryptionConfiguration(configuration -> configuration.rules(rule.build()))));
    }

    BucketAcls acls() {
        return new BucketAcls(bucket);
    }

    void apply(BucketOption option) {
        switch (option) {
            // A property of the bucket from its creation on, which the store checks.
            case OwningUser _ -> {}
            case Quota quota -> quotas.set(bucket.call(), bucket.name(), quota);
            case Versioning versioning -> versioning(versioning);
            case ObjectLock lock -> objectLock(lock);
            case Lifecycle lifecycle -> lifecycle(lifecycle);
            case Policy policy -> {
                publicAccess().policies(BucketPolicies.allows(policy.document()));
                policies().putRaw(policy.document());
            }
            case Cors cors -> cors(cors);
            case Tags tags -> buckets.addTags(tags.tags());
            case CannedAcl acl -> {
                publicAccess().acls(acl != CannedAcl.PRIVATE);
                acls().put(acl);
            }
            case AnonymousAccess anonymous -> {
                publicAccess().policies(anonymous != AnonymousAccess.PRIVATE);
                policies().setAnonymousAccess(anonymous);
            }
        }
    }

    /**
     * Removes options that were set before. What the store does not support cannot be set. Versioning cannot be removed,
     * only suspended; an object lock cannot be removed, only its default retention; the user that owns the bucket stays.
     */
    void remove(AppliedOptions removed) {
        for (Capability kind : removed.kinds()) {
            try {
                remove(kind, removed.tags());
            } catch (Unsupported neverSet) {
                // Nothing to remove.
            }
        }
    }

    private void remove(Capability kind, Set<String> tags) {
        switch (kind) {
            case QUOTA -> quotas.clear(bucket.call(), bucket.name());
            case VERSIONING -> suspendVersioning();
            case OBJECT_LOCK -> removeRetention();
            case LIFECYCLE ->
                bucket.send(
                        "remove the lifecycle of " + bucket,
                        s3 -> s3.deleteBucketLifecycle(request -> request.bucket(bucket.text())));
            case CORS ->
                bucket.send(
                        "remove CORS of " + bucket,
                        s3 -> s3.deleteBucketCors(request -> request.bucket(bucket.text())));
            case POLICY -> blockPublicPolicies(policies().removeRaw());
            case ANONYMOUS_ACCESS -> blockPublicPolicies(policies().removeAnonymousAccess());
            case CANNED_ACL -> {
                // A store that has no ACLs may also not know the request that disables them.
                if (acls().allowsAccess()) {
                    acls().put(CannedAcl.PRIVATE);
                    acls().disable();
                }
                publicAccess().acls(false);
            }
            case TAGS -> buckets.removeTags(tags);
            case BUCKET_OWNER -> {}
            default -> throw new Unsupported("S3 has no option " + kind.text() + ".");
        }
    }

    private void blockPublicPolicies(boolean policyOfOthers) {
        if (!policyOfOthers) {
            publicAccess().policies(false);
        }
    }

    private void removeRetention() {
        Absence.toEmpty(() -> bucket.send(
                        "read the object lock of " + bucket,
                        s3 -> s3.getObjectLockConfiguration(request -> request.bucket(bucket.text()))))
                .map(GetObjectLockConfigurationResponse::objectLockConfiguration)
                .map(ObjectLockConfiguration::rule)
                .ifPresent(_ -> objectLock(new ObjectLock(ObjectLock.Mode.ENABLED, 0)));
    }

    private void suspendVersioning() {
        BucketVersioningStatus current = bucket.send(
                "read versioning of " + bucket,
                s3 -> s3.getBucketVersioning(request -> request.bucket(bucket.text()))
                        .status());
        if (current == BucketVersioningStatus.ENABLED) {
            versioning(new Versioning(false));
        }
    }

    private void versioning(Versioning versioning) {
        BucketVersioningStatus status =
                versioning.enabled() ? BucketVersioningStatus.ENABLED : BucketVersioningStatus.SUSPENDED;
        bucket.send(
                "set versioning of " + bucket,
                s3 -> s3.putBucketVersioning(request -> request.bucket(bucket.text())
                        .versioningConfiguration(configuration -> configuration.status(status))));
    }

    private void objectLock(ObjectLock lock) {
        bucket.send(
                "set the object lock of " + bucket,
                s3 -> s3.putObjectLockConfiguration(request -> request.bucket(bucket.text())
                        .objectLockConfiguration(configuration -> {
                            configuration.objectLockEnabled(ObjectLockEnabled.ENABLED);
                            if (lock.days() > 0) {
                                configuration.rule(rule -> rule.defaultRetention(retention -> retention
                                        .mode(ObjectLockRetentionMode.fromValue(
                                                lock.mode().name()))
                                        .days(lock.days())));
                            }
                        })));
    }

    private void lifecycle(Lifecycle lifecycle) {
        List<LifecycleRule> rules = SdkRules.of(lifecycle);
        bucket.send(
                "set the lifecycle of " + bucket,
                s3 -> s3.putBucketLifecycleConfiguration(request -> request.bucket(bucket.text())
                        .lifecycleConfiguration(configuration -> configuration.rules(rules))));
    }

    private void cors(Cors cors) {
        List<CORSRule> rules = SdkRules.of(cors);
        bucket.send(
                "set CORS of " + bucket,
                s3 -> s3.putBucketCors(request -> request.bucket(bucket.text())
                        .corsConfiguration(configuration -> configuration.corsRules(rules))));
    }
}
