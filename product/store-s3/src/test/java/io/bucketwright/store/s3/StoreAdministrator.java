package io.bucketwright.store.s3;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.connection.Credentials.AccessKey;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.s3.client.AwsClients;
import io.bucketwright.store.s3.client.S3Parameters;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The administrator of a store in tests.
 *
 * @param parameters the class parameters, with endpoint and region
 */
public record StoreAdministrator(Map<String, String> parameters, String keyId, String secretKey, S3Client s3) {

    public StoreAdministrator {
        parameters = Map.copyOf(parameters);
    }

    public StoreAdministrator(Map<String, String> parameters, String keyId, String secretKey) {
        this(parameters, keyId, secretKey, clients(parameters, keyId, secretKey).s3());
    }

    public AwsClients clients() {
        return clients(parameters, keyId, secretKey);
    }

    public AdministratorSecret secret() {
        return secret(secretKey);
    }

    /** A Secret with another secret key. */
    public AdministratorSecret secret(String otherKey) {
        return new AdministratorSecret(
                Map.of("AWS_ACCESS_KEY_ID", SecretValue.of(keyId), "AWS_SECRET_ACCESS_KEY", SecretValue.of(otherKey)));
    }

    /** A Secret with the key of another administrator. */
    public AdministratorSecret secret(AccessKey other) {
        return new StoreAdministrator(parameters, other.id(), other.secret().reveal(), s3).secret();
    }

    private static AwsClients clients(Map<String, String> parameters, String keyId, String secretKey) {
        return new AwsClients(
                S3Parameters.of(S3Parameters.schema().parse(parameters)),
                SecretValue.of(keyId),
                SecretValue.of(secretKey),
                List.of());
    }
}
