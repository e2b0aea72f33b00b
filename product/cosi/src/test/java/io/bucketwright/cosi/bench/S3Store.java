package io.bucketwright.cosi.bench;

import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.store.connection.SecretValue;
import java.net.URI;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.s3.S3Client;

/** A local S3 store: what a driver needs to use it, and clients to inspect it. */
public record S3Store(StoreAccess access) {

    /** The parameters of a driver for this store. */
    public Map<String, String> parameters() {
        return Map.of(
                "endpoint", access.endpoint(),
                "iamEndpoint", access.iamEndpoint(),
                "region", access.region(),
                "unsupportedOptions", "lifecycle");
    }

    /** The credentials of the administrator. */
    public Map<String, SecretValue> secrets() {
        return Map.of(
                "AWS_ACCESS_KEY_ID", SecretValue.of(access.accessKeyId()),
                "AWS_SECRET_ACCESS_KEY", SecretValue.of(access.secretAccessKey()));
    }

    /** A client of the administrator. */
    public S3Client s3() {
        return client(access.endpoint(), access.accessKeyId(), access.secretAccessKey());
    }

    /** A client of the administrator. */
    public IamClient iam() {
        return IamClient.builder()
                .endpointOverride(URI.create(access.iamEndpoint()))
                .region(Region.of(access.region()))
                .credentialsProvider(credentials(access.accessKeyId(), access.secretAccessKey()))
                .build();
    }

    /** A client with the connection data that an application receives. */
    public static S3Client application(Map<String, String> data) {
        return client(
                data.getOrDefault("BUCKET_ENDPOINT", ""),
                data.getOrDefault("AWS_ACCESS_KEY_ID", ""),
                data.getOrDefault("AWS_SECRET_ACCESS_KEY", ""));
    }

    private static S3Client client(String endpoint, String id, String secret) {
        return S3Client.builder()
                .endpointOverride(URI.create(endpoint))
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                // Ceph 16 rejects the checksums that newer SDKs add.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .credentialsProvider(credentials(id, secret))
                .build();
    }

    private static StaticCredentialsProvider credentials(String id, String secret) {
        return StaticCredentialsProvider.create(AwsBasicCredentials.create(id, secret));
    }
}
