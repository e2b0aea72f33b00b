package io.bucketwright.cosi.sidecar.accesses;


import io.bucketwright.store.connection.SecretValue;
import java.util.Map;

/**
 * CredentialsReader on their way into the Secret.
 *
 * @param rotatedAt the rotation that they answer, empty if none was asked for
 */
public record IssuedCredentials(Map<String, SecretValue> values, String rotatedAt) {

    public IssuedCredentials {
        values = Map.copyOf(values);
    }
}
