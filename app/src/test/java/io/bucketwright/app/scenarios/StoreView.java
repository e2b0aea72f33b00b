package io.bucketwright.app.scenarios;

import io.bucketwright.local.stores.StoreAccess;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.iam.model.User;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.Tag;

/** The store as its administrator sees it, beside whatever the controllers think of it. */
final class StoreView implements AutoCloseable {

    private final S3Client s3;
    private final IamClient iam;

    StoreView(StoreAccess access) {
        this.s3 = s3(access.endpoint(), access.accessKeyId(), access.secretAccessKey());
        this.iam = IamClient.builder()
                .endpointOverride(URI.create(access.iamEndpoint()))
                .region(Region.US_EAST_1)
                .credentialsProvider(credentials(access.accessKeyId(), access.secretAccessKey()))
                .httpClient(UrlConnectionHttpClient.create())
                .build();
    }

    S3Client administrator() {
        return s3;
    }

    Set<String> buckets() {
        return s3.listBuckets().buckets().stream().map(Bucket::name).collect(Collectors.toCollection(TreeSet::new));
    }

    Set<String> users() {
        return iam.listUsersPaginator().users().stream()
                .map(User::userName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    int keysOf(String user) {
        return iam.listAccessKeys(request -> request.userName(user))
                .accessKeyMetadata()
                .size();
    }

    int objects(String bucket) {
        return s3.listObjectsV2(request -> request.bucket(bucket)).contents().size();
    }

    Map<String, String> tagsOf(String bucket) {
        try {
            return s3.getBucketTagging(request -> request.bucket(bucket)).tagSet().stream()
                    .collect(Collectors.toMap(Tag::key, Tag::value));
        } catch (S3Exception none) {
            if (none.statusCode() != 404) {
                throw none;
            }
            return Map.of();
        }
    }

    String versioningOf(String bucket) {
        return String.valueOf(
                s3.getBucketVersioning(request -> request.bucket(bucket)).statusAsString());
    }

    void put(String bucket, String key, String text) {
        s3.putObject(request -> request.bucket(bucket).key(key), RequestBody.fromString(text));
    }

    String text(String bucket, String key) {
        return s3.getObjectAsBytes(request -> request.bucket(bucket).key(key)).asUtf8String();
    }

    /** Deletes these objects and the bucket. */
    void delete(String bucket, String... keys) {
        Stream.of(keys)
                .forEach(
                        key -> s3.deleteObject(request -> request.bucket(bucket).key(key)));
        s3.deleteBucket(request -> request.bucket(bucket));
    }

    /** Whether an application with these keys writes and reads what it wrote. */
    static boolean works(Map<String, String> config, Map<String, String> keys) {
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
        s3.close();
        iam.close();
    }

    private static S3Client s3(String endpoint, String id, String secret) {
        return S3Client.builder()
                .endpointOverride(URI.create(endpoint))
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .credentialsProvider(credentials(id, secret))
                .httpClient(UrlConnectionHttpClient.create())
                .build();
    }

    private static StaticCredentialsProvider credentials(String id, String secret) {
        return StaticCredentialsProvider.create(AwsBasicCredentials.create(id, secret));
    }
}
