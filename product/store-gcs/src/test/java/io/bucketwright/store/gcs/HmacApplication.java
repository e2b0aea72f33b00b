package io.bucketwright.store.gcs;

import io.bucketwright.store.connection.Credentials.AccessKey;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.contract.Contract;
import io.bucketwright.store.contract.ObjectClient;
import java.util.List;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.ProxyConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.s3.model.Tag;

/** An application that uses its HMAC key with a client for S3, configured as the documentation describes. */
final class HmacApplication implements ObjectClient {

    private final S3Client s3;
    private final String bucket;

    HmacApplication(ProvisionedBucket provisioned) {
        AccessKey key = Contract.accessKey(provisioned);
        this.bucket = provisioned.connection().bucket().text();
        this.s3 = S3Client.builder()
                .endpointOverride(provisioned.connection().endpoint().uri())
                .region(Region.of("auto"))
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(key.id(), key.secret().reveal())))
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .serviceConfiguration(S3Configuration.builder()
                        .pathStyleAccessEnabled(true)
                        .chunkedEncodingEnabled(false)
                        .build())
                .overrideConfiguration(configuration -> configuration.retryStrategy(AwsRetryStrategy.doNotRetry()))
                .httpClient(UrlConnectionHttpClient.builder()
                        .proxyConfiguration(ProxyConfiguration.builder()
                                .useSystemPropertyValues(false)
                                .useEnvironmentVariablesValues(false)
                                .build())
                        .build())
                .build();
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
    public void tryForbidden(ForbiddenOperation operation) {
        refusable(() -> switch (operation) {
            case LIST_BUCKETS -> s3.listBuckets();
            case DELETE_BUCKET -> s3.deleteBucket(request -> request.bucket(bucket));
            case CREATE_BUCKET -> s3.createBucket(request -> request.bucket(bucket + "-more"));
            case PUT_POLICY ->
                s3.putBucketPolicy(request -> request.bucket(bucket).policy("{}"));
            case PUT_TAGS ->
                s3.putBucketTagging(request -> request.bucket(bucket)
                        .tagging(tagging -> tagging.tagSet(
                                Tag.builder().key("mine").value("now").build())));
            case PUT_ACL -> s3.putBucketAcl(request -> request.bucket(bucket).acl("public-read"));
            case PUT_VERSIONING ->
                s3.putBucketVersioning(request -> request.bucket(bucket)
                        .versioningConfiguration(
                                configuration -> configuration.status(BucketVersioningStatus.ENABLED)));
        });
    }

    private static <T> T refusable(Supplier<T> request) {
        try {
            return request.get();
        } catch (S3Exception e) {
            if (e.statusCode() == 403) {
                throw new Refused("refused", e);
            }
            throw e;
        }
    }
}
