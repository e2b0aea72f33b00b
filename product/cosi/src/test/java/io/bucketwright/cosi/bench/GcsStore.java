package io.bucketwright.cosi.bench;

import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.testing.gcs.GcsServer;
import java.net.URI;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.urlconnection.ProxyConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;

/** A strict server of Google Cloud Storage: what a driver needs to use it, and the client of an application. */
public record GcsStore(GcsServer server) {

    /** The credentials of the administrator. */
    public Map<String, SecretValue> secrets() {
        return Map.of("GOOGLE_SERVICE_ACCOUNT_JSON", SecretValue.of(server.administratorKey()));
    }

    /** The client of an application with nothing but its HMAC key and the endpoint, as the documentation describes. */
    public static S3Client application(Map<String, String> data) {
        return S3Client.builder()
                .endpointOverride(URI.create(data.getOrDefault("AWS_ENDPOINT_URL", "")))
                .region(Region.of(data.getOrDefault("AWS_REGION", "")))
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(
                        data.getOrDefault("AWS_ACCESS_KEY_ID", ""), data.getOrDefault("AWS_SECRET_ACCESS_KEY", ""))))
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .serviceConfiguration(S3Configuration.builder()
                        .pathStyleAccessEnabled(true)
                        .chunkedEncodingEnabled(false)
                        .build())
                .httpClient(UrlConnectionHttpClient.builder()
                        .proxyConfiguration(ProxyConfiguration.builder()
                                .useSystemPropertyValues(false)
                                .useEnvironmentVariablesValues(false)
                                .build())
                        .build())
                .build();
    }
}
