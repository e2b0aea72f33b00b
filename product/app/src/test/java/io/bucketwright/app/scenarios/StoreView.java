package io.bucketwright.app.scenarios;

import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.local.stores.StoreKind;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.Tag;

/** The store as its administrator sees it, beside whatever the controllers think of it. */
public final class StoreView implements AutoCloseable {

    private final S3Client s3;
    private final StoreAdministration admin;

    /** A store with the AWS IAM API. */
    public StoreView(StoreAccess access) {
        this(StoreKind.S3, access);
    }

    StoreView(StoreKind kind, StoreAccess access) {
        this.s3 = s3(access.endpoint(), access.accessKeyId(), access.secretAccessKey());
        this.admin = StoreAdministration.of(kind, access, s3);
    }

    S3Client administrator() {
        return s3;
    }

    public Set<String> buckets() {
        return admin.buckets();
    }

    /** The users that are there for applications. */
    Set<String> users() {
        return admin.users();
    }

    int keysOf(String user) {
        return admin.keysOf(user);
    }

    int objects(String bucket) {
        return admin.clientOf(bucket)
                .listObjectsV2(request -> request.bucket(bucket))
                .contents()
                .size();
    }

    Map<String, String> tagsOf(String bucket) {
        try {
            return admin.clientOf(bucket).getBucketTagging(request -> request.bucket(bucket)).tagSet().stream()
                    .collect(Collectors.toMap(Tag::key, Tag::value));
        } catch (S3Exception none) {
            if (none.statusCode() != 404) {
                throw none;
            }
            return Map.of();
        }
    }

    String versioningOf(String bucket) {
        return String.valueOf(admin.clientOf(bucket)
                .getBucketVersioning(request -> request.bucket(bucket))
                .statusAsString());
    }

    /** Creates a bucket that the controllers do not know. */
    public void create(String bucket) {
        s3.createBucket(request -> request.bucket(bucket));
    }

    public void put(String bucket, String key, String text) {
        admin.clientOf(bucket).putObject(request -> request.bucket(bucket).key(key), RequestBody.fromString(text));
    }

    public String text(String bucket, String key) {
        return admin.clientOf(bucket)
                .getObjectAsBytes(request -> request.bucket(bucket).key(key))
                .asUtf8String();
    }

    /** Deletes these objects and the bucket. */
    void delete(String bucket, String... keys) {
        S3Client owner = admin.clientOf(bucket);
        Stream.of(keys)
                .forEach(key ->
                        owner.deleteObject(request -> request.bucket(bucket).key(key)));
        owner.deleteBucket(request -> request.bucket(bucket));
    }

    /** Whether an application with these keys writes and reads what it wrote. */
    public static boolean works(Map<String, String> config, Map<String, String> keys) {
        String bucket = config.getOrDefault("BUCKET_NAME", "");
        try (S3Client application = application(config, keys)) {
            application.putObject(
                    request -> request.bucket(bucket).key("hello"), RequestBody.fromString("from " + bucket));
            String read = application
                    .getObjectAsBytes(request -> request.bucket(bucket).key("hello"))
                    .asUtf8String();
            application.deleteObject(request -> request.bucket(bucket).key("hello"));
            return read.equals("from " + bucket);
        } catch (S3Exception refused) {
            return false;
        }
    }

    /** An application with these keys; the caller closes it. */
    static S3Client application(Map<String, String> config, Map<String, String> keys) {
        return s3(
                config.getOrDefault("BUCKET_ENDPOINT", ""),
                keys.getOrDefault("AWS_ACCESS_KEY_ID", "none"),
                keys.getOrDefault("AWS_SECRET_ACCESS_KEY", "none"));
    }

    @Override
    public void close() {
        admin.close();
    }

    static S3Client s3(String endpoint, String id, String secret) {
        return s3(endpoint, id, secret, UrlConnectionHttpClient.create());
    }

    /** @param http is closed with the client */
    static S3Client s3(String endpoint, String id, String secret, SdkHttpClient http) {
        return S3Client.builder()
                .endpointOverride(URI.create(endpoint))
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                // Ceph 16 rejects the checksums that newer SDKs add.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .credentialsProvider(credentials(id, secret))
                .httpClient(http)
                .build();
    }

    static StaticCredentialsProvider credentials(String id, String secret) {
        return StaticCredentialsProvider.create(AwsBasicCredentials.create(id, secret));
    }
}
