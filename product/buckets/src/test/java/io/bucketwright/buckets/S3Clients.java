package io.bucketwright.buckets;

import io.bucketwright.local.stores.StoreAccess;
import java.net.URI;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.iam.model.AccessKeyMetadata;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Clients of the AWS SDK for a store, with the key of its administrator or of an application. */
final class S3Clients {

    private static final String REGION = Region.US_EAST_1.id();

    private static final String HELLO = "hello";

    private S3Clients() {}

    /** The key of the store's administrator, as a Secret contains it. */
    static Map<String, String> keys(StoreAccess access) {
        return keys(access.accessKeyId(), access.secretAccessKey());
    }

    static Map<String, String> keys(String id, String secret) {
        return Map.of("AWS_ACCESS_KEY_ID", id, "AWS_SECRET_ACCESS_KEY", secret);
    }

    static S3Client administrator(StoreAccess access) {
        return client(access.endpoint(), keys(access));
    }

    static S3Client client(String endpoint, Map<String, String> keys) {
        return builder(endpoint, REGION, keys).build();
    }

    /** The client of an application that has nothing but its Secret and its ConfigMap. */
    static S3Client application(Map<String, String> config, Map<String, String> keys) {
        return builder(config.getOrDefault("AWS_ENDPOINT_URL", ""), config.getOrDefault("AWS_REGION", ""), keys)
                .build();
    }

    /** The same without checksums. */
    static S3Client withoutChecksums(Map<String, String> config, Map<String, String> keys) {
        return withoutChecksums(
                config.getOrDefault("AWS_ENDPOINT_URL", ""), config.getOrDefault("AWS_REGION", ""), keys);
    }

    /** A client that adds no checksums and sends an object as a whole: Ceph 16 and others do not understand the rest. */
    static S3Client withoutChecksums(String endpoint, String region, Map<String, String> keys) {
        return builder(endpoint, region, keys)
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .serviceConfiguration(configuration -> configuration.chunkedEncodingEnabled(false))
                .build();
    }

    /** Puts the object {@code hello}. */
    static void put(S3Client s3, String bucket, String text) {
        s3.putObject(request -> request.bucket(bucket).key(HELLO), RequestBody.fromString(text));
    }

    /** The content of the object {@code hello}. */
    static String read(S3Client s3, String bucket) {
        return s3.getObjectAsBytes(request -> request.bucket(bucket).key(HELLO)).asUtf8String();
    }

    /** The status of the response to a request for the object {@code hello}. */
    static int status(S3Client s3, String bucket) {
        try {
            return s3.getObjectAsBytes(request -> request.bucket(bucket).key(HELLO))
                    .response()
                    .sdkHttpResponse()
                    .statusCode();
        } catch (S3Exception refused) {
            return refused.statusCode();
        }
    }

    /** A client of the administrator for the store's users. */
    static IamClient users(StoreAccess access) {
        return IamClient.builder()
                .endpointOverride(URI.create(access.iamEndpoint()))
                .region(Region.of(REGION))
                .credentialsProvider(credentials(keys(access)))
                .build();
    }

    /** The ids of all keys of a user. */
    static List<String> keysOf(IamClient users, String user) {
        return users.listAccessKeys(request -> request.userName(user)).accessKeyMetadata().stream()
                .map(AccessKeyMetadata::accessKeyId)
                .toList();
    }

    private static S3ClientBuilder builder(String endpoint, String region, Map<String, String> keys) {
        return S3Client.builder()
                .endpointOverride(URI.create(endpoint))
                .region(Region.of(region))
                .forcePathStyle(true)
                .credentialsProvider(credentials(keys));
    }

    private static StaticCredentialsProvider credentials(Map<String, String> keys) {
        return StaticCredentialsProvider.create(AwsBasicCredentials.create(
                keys.getOrDefault("AWS_ACCESS_KEY_ID", ""), keys.getOrDefault("AWS_SECRET_ACCESS_KEY", "")));
    }
}
