package io.bucketwright.store.s3.client;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.connection.SecretValue;
import java.util.List;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.iam.IamClientBuilder;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * Creates the clients of the AWS SDK. They use only the configured endpoint and the administrator's credentials, and by
 * default do not retry: retries with back-off belong to the caller's work queue.
 */
public final class AwsClients {

    private final S3Parameters parameters;
    private final AwsCredentialsProvider administrator;
    private final List<ExecutionInterceptor> interceptors;

    /**
     * Clients with the credentials of an administrator.
     *
     * @param secret empty if the class uses the identity of this process
     * @param interceptors called for every request; none but in tests
     */
    public AwsClients(S3Parameters parameters, AdministratorSecret secret, List<ExecutionInterceptor> interceptors) {
        this(
                parameters,
                parameters.administrator().provider(secret, parameters.connection(), parameters.region()),
                interceptors);
    }

    /** Clients with an access key. */
    public AwsClients(
            S3Parameters parameters, SecretValue keyId, SecretValue secret, List<ExecutionInterceptor> interceptors) {
        this(parameters, provider(keyId, secret), interceptors);
    }

    private AwsClients(
            S3Parameters parameters, AwsCredentialsProvider administrator, List<ExecutionInterceptor> interceptors) {
        this.parameters = parameters;
        this.administrator = administrator;
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

    /** The id of the administrator's access key. May send a request, if it is that of an identity of this process. */
    public String administratorKeyId() {
        return administrator.resolveCredentials().accessKeyId();
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
                .httpClient(parameters.connection().http(parameters.endpoint()));
        return common(builder, parameters.endpoint(), parameters.region(), credentials)
                .build();
    }

    public IamClient iam() {
        IamParameters iam = parameters.iam();
        IamClientBuilder builder =
                IamClient.builder().httpClient(parameters.connection().http(iam.endpoint()));
        return common(builder, iam.endpoint(), iam.signingRegion(), administrator)
                .build();
    }

    /** Requests to an administration API of the store, at the S3 endpoint. */
    public AdminClient admin() {
        return new AdminClient(
                parameters.endpoint(),
                parameters.region(),
                parameters.connection().http(parameters.endpoint()),
                administrator,
                interceptors);
    }

    private <B extends AwsClientBuilder<B, ?>> B common(
            B builder, Endpoint endpoint, String region, AwsCredentialsProvider credentials) {
        // Profile files and environment variables of this process must not change the endpoint or the credentials.
        return builder.endpointOverride(endpoint.uri())
                .region(Region.of(region))
                .credentialsProvider(credentials)
                .overrideConfiguration(configuration -> configuration
                        .executionInterceptors(interceptors)
                        // The work queue retries, with back-off. Only the last attempt of the SDK would be known.
                        .retryStrategy(AwsRetryStrategy.doNotRetry())
                        .defaultProfileFile(ProfileFile.aggregator().build()));
    }
}
