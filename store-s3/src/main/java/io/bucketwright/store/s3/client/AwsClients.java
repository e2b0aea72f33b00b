package io.bucketwright.store.s3.client;

import io.bucketwright.store.connection.CaBundle;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.connection.SecretValue;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * Creates the clients of the AWS SDK. They use only the configured endpoint and the administrator's credentials, and do not
 * retry: retries with back-off belong to the caller's work queue.
 */
public final class AwsClients {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(5);

    private final S3Parameters parameters;
    private final AwsCredentialsProvider administrator;
    private final List<ExecutionInterceptor> interceptors;

    /**
     * Clients with the credentials of an administrator.
     *
     * @param interceptors called for every request; none but in tests
     */
    public AwsClients(
            S3Parameters parameters, SecretValue keyId, SecretValue secret, List<ExecutionInterceptor> interceptors) {
        this.parameters = parameters;
        this.administrator = provider(keyId, secret);
        // The check of the call is the last one: nothing may take time after it.
        this.interceptors = Stream.concat(interceptors.stream(), Stream.of(new CallInterceptor()))
                .toList();
    }

    /** An S3 client with the administrator's credentials. */
    public S3Client s3() {
        return s3(administrator);
    }

    /** An S3 client with an access key that is not the administrator's. */
    public S3Client s3(SecretValue keyId, SecretValue secret) {
        return s3(provider(keyId, secret));
    }

    private static AwsCredentialsProvider provider(SecretValue keyId, SecretValue secret) {
        return StaticCredentialsProvider.create(AwsBasicCredentials.create(keyId.reveal(), secret.reveal()));
    }

    private S3Client s3(AwsCredentialsProvider credentials) {
        S3ClientBuilder builder = S3Client.builder()
                .forcePathStyle(parameters.pathStyle())
                // Older stores reject checksums that S3 does not require.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .httpClient(http(parameters.endpoint()));
        return common(builder, parameters.endpoint(), credentials).build();
    }

    public IamClient iam() {
        return common(
                        IamClient.builder().httpClient(http(parameters.iamEndpoint())),
                        parameters.iamEndpoint(),
                        administrator)
                .build();
    }

    /** Requests to an administration API of the store, at the S3 endpoint. */
    public AdminClient admin() {
        return new AdminClient(
                parameters.endpoint(), parameters.region(), http(parameters.endpoint()), administrator, interceptors);
    }

    private <B extends AwsClientBuilder<B, ?>> B common(
            B builder, Endpoint endpoint, AwsCredentialsProvider credentials) {
        // Profile files and environment variables of this process must not change the endpoint or the credentials.
        return builder.endpointOverride(endpoint.uri())
                .region(Region.of(parameters.region()))
                .credentialsProvider(credentials)
                .overrideConfiguration(configuration -> configuration
                        .executionInterceptors(interceptors)
                        .retryStrategy(AwsRetryStrategy.doNotRetry())
                        .defaultProfileFile(ProfileFile.aggregator().build()));
    }

    private SdkHttpClient http(Endpoint endpoint) {
        UrlConnectionHttpClient.Builder http = UrlConnectionHttpClient.builder()
                .connectionTimeout(CONNECT_TIMEOUT)
                .socketTimeout(READ_TIMEOUT);
        if (isLoopback(endpoint.host())) {
            http.proxyConfiguration(
                    proxy -> proxy.useSystemPropertyValues(false).useEnvironmentVariablesValues(false));
        }
        if (!parameters.caBundle().isEmpty()) {
            http.tlsTrustManagersProvider(() -> CaBundle.trustManagers(parameters.caBundle()));
        }
        return http.build();
    }

    private static boolean isLoopback(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        return lower.equals("localhost") || lower.equals("[::1]") || lower.matches("127\\.\\d+\\.\\d+\\.\\d+");
    }
}
