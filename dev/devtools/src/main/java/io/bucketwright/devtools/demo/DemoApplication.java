package io.bucketwright.devtools.demo;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.ProxyConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** An application that uses only what its ConfigMap and Secret contain. */
final class DemoApplication implements AutoCloseable {

    private final S3Client s3;
    private final String bucket;

    /** With a ConfigMap, and a Secret whose values are encoded. */
    static DemoApplication of(Map<String, String> config, Map<String, String> secret) {
        return new DemoApplication(
                config.getOrDefault("BUCKET_NAME", ""),
                config.getOrDefault("BUCKET_ENDPOINT", ""),
                config.getOrDefault("BUCKET_REGION", ""),
                decoded(secret.getOrDefault("AWS_ACCESS_KEY_ID", "")),
                decoded(secret.getOrDefault("AWS_SECRET_ACCESS_KEY", "")));
    }

    DemoApplication(String bucket, String endpoint, String region, String accessKeyId, String secretAccessKey) {
        this.bucket = bucket;
        this.s3 = S3Client.builder()
                .endpointOverride(URI.create(endpoint))
                .region(Region.of(region))
                .credentialsProvider(
                        StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKeyId, secretAccessKey)))
                .forcePathStyle(true)
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                // The store is local; a configured proxy must not be used.
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .proxyConfiguration(ProxyConfiguration.builder()
                                .useSystemPropertyValues(false)
                                .useEnvironmentVariablesValues(false)
                                .build()))
                .build();
    }

    /** Uses the bucket and, unless the demo is kept, its keys once more after access and bucket were deleted. */
    void use(DemoCluster cluster, DemoSteps steps, Runnable delete) {
        steps.print("writes and reads back: \"" + writeAndRead("hello.txt", "Hello, COSI") + "\"");
        if (!cluster.keep()) {
            delete.run();
            steps.print("its keys still give access: " + (hasAccess() ? "yes" : "no"));
        }
    }

    String writeAndRead(String key, String text) {
        s3.putObject(request -> request.bucket(bucket).key(key), RequestBody.fromString(text));
        return s3.getObjectAsBytes(request -> request.bucket(bucket).key(key)).asUtf8String();
    }

    /** Whether its keys still give access to its bucket. */
    private boolean hasAccess() {
        return isAllowed(() -> s3.listObjectsV2(request -> request.bucket(bucket)), Set.of(403, 404));
    }

    boolean mayListBuckets() {
        return isAllowed(s3::listBuckets, Set.of(403));
    }

    private static boolean isAllowed(Runnable request, Set<Integer> refusals) {
        try {
            request.run();
            return true;
        } catch (S3Exception refused) {
            if (!refusals.contains(refused.statusCode())) {
                throw refused;
            }
            return false;
        }
    }

    void delete(String key) {
        s3.deleteObject(request -> request.bucket(bucket).key(key));
    }

    @Override
    public void close() {
        s3.close();
    }

    /** A value of a Secret. */
    static String decoded(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }
}
