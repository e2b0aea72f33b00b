package io.bucketwright.store.s3;

import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.Credentials.AccessKey;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.contract.Contract;
import io.bucketwright.store.contract.ObjectClient;
import io.bucketwright.store.s3.client.AwsClients;
import io.bucketwright.store.s3.client.S3Parameters;
import io.bucketwright.store.s3.client.StoreRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.ObjectLockLegalHoldStatus;
import software.amazon.awssdk.services.s3.model.ObjectLockRetentionMode;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.s3.model.Tag;
import software.amazon.awssdk.services.s3.model.Tagging;

/** An application that uses S3 with its credentials. */
public final class S3Application implements ObjectClient {

    private final S3Client s3;
    private final String bucket;
    private final boolean locks;

    public S3Application(ProvisionedBucket provisioned) {
        this(provisioned, true);
    }

    /**
     * Creates the client.
     *
     * @param locks whether the store checks who may lock objects
     */
    public S3Application(ProvisionedBucket provisioned, boolean locks) {
        this.locks = locks;
        Connection connection = provisioned.connection();
        AccessKey key = Contract.accessKey(provisioned);
        S3Parameters parameters = S3Parameters.of(S3Parameters.schema()
                .parse(Map.of(
                        "endpoint",
                        connection.endpoint().toString(),
                        "region",
                        connection.values().getOrDefault("BUCKET_REGION", ""))));
        this.s3 = new AwsClients(parameters, SecretValue.of(key.id()), key.secret(), List.of()).s3();
        this.bucket = connection.bucket().text();
    }

    @Override
    public void put(String key, String text) {
        refusable(() -> s3.putObject(request -> request.bucket(bucket).key(key), RequestBody.fromString(text)));
    }

    @Override
    public String get(String key) {
        return refusable(() ->
                s3.getObjectAsBytes(request -> request.bucket(bucket).key(key)).asUtf8String());
    }

    @Override
    public List<String> list(String prefix) {
        return refusable(
                () -> s3.listObjectsV2(request -> request.bucket(bucket).prefix(prefix)).contents().stream()
                        .map(S3Object::key)
                        .toList());
    }

    @Override
    public void delete(String key) {
        refusable(() -> s3.deleteObject(request -> request.bucket(bucket).key(key)));
    }

    @Override
    public Optional<ObjectLocks> locks() {
        return locks ? Optional.of(new Locks()) : Optional.empty();
    }

    private final class Locks implements ObjectLocks {

        @Override
        public void hold(String key, boolean held) {
            refusable(() -> s3.putObjectLegalHold(request -> request.bucket(bucket)
                    .key(key)
                    .legalHold(
                            hold -> hold.status(held ? ObjectLockLegalHoldStatus.ON : ObjectLockLegalHoldStatus.OFF))));
        }

        @Override
        public boolean isHeld(String key) {
            return refusable(() ->
                    s3.getObjectLegalHold(request -> request.bucket(bucket).key(key))
                                    .legalHold()
                                    .status()
                            == ObjectLockLegalHoldStatus.ON);
        }

        @Override
        public void retain(String key, Duration time) {
            refusable(() -> s3.putObjectRetention(request -> request.bucket(bucket)
                    .key(key)
                    .retention(retention -> retention
                            .mode(ObjectLockRetentionMode.GOVERNANCE)
                            .retainUntilDate(Instant.now().plus(time)))));
        }

        @Override
        public void deleteVersion(String key) {
            delete(key, null);
        }

        @Override
        public void deleteVersionBypassingRetention(String key) {
            delete(key, true);
        }

        private void delete(String key, @Nullable Boolean bypass) {
            String version = refusable(() ->
                            s3.headObject(request -> request.bucket(bucket).key(key)))
                    .versionId();
            refusable(() -> s3.deleteObject(request ->
                    request.bucket(bucket).key(key).versionId(version).bypassGovernanceRetention(bypass)));
        }
    }

    @Override
    public void tryForbidden(ForbiddenOperation operation) {
        refusable(() -> switch (operation) {
            case LIST_BUCKETS -> listOtherBuckets();
            case DELETE_BUCKET -> s3.deleteBucket(request -> request.bucket(bucket));
            case CREATE_BUCKET -> s3.createBucket(request -> request.bucket(bucket + "-more"));
            case PUT_POLICY ->
                s3.putBucketPolicy(request -> request.bucket(bucket)
                        .policy("{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":\"*\","
                                + "\"Action\":\"s3:GetObject\",\"Resource\":\"arn:aws:s3:::" + bucket + "/*\"}]}"));
            case PUT_TAGS ->
                s3.putBucketTagging(request -> request.bucket(bucket)
                        .tagging(Tagging.builder()
                                .tagSet(Tag.builder().key("mine").value("now").build())
                                .build()));
            case PUT_ACL -> s3.putBucketAcl(request -> request.bucket(bucket).acl("public-read"));
            case PUT_VERSIONING ->
                s3.putBucketVersioning(request -> request.bucket(bucket)
                        .versioningConfiguration(
                                configuration -> configuration.status(BucketVersioningStatus.ENABLED)));
        });
    }

    /** Some stores list to everybody the buckets that he can use: that is no access to others. */
    private List<String> listOtherBuckets() {
        List<String> others = s3.listBuckets().buckets().stream()
                .map(Bucket::name)
                .filter(name -> !name.equals(bucket))
                .toList();
        if (others.isEmpty()) {
            throw new Refused("lists no other bucket", new IllegalStateException());
        }
        return others;
    }

    private static <T> T refusable(Supplier<T> request) {
        try {
            return request.get();
        } catch (S3Exception e) {
            if (e.statusCode() == 403) {
                throw new Refused("refused with " + StoreRequest.code(e), e);
            }
            throw e;
        }
    }
}
