package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.store.connection.SecretValue;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Credentials that a driver issued. */
public sealed interface AccountCredentials {

    /** Keys and values that the driver chose for applications; may be empty. */
    record Named(Map<String, SecretValue> values) implements AccountCredentials {
        public Named {
            values = Map.copyOf(values);
        }
    }

    /**
     * An access key of S3.
     *
     * @param endpoint empty if the driver gave none
     * @param region empty if the driver gave none
     */
    record S3Key(String endpoint, String region, String accessKeyId, SecretValue secretKey)
            implements AccountCredentials {}

    /**
     * A token of Azure Blob storage.
     *
     * @param expiry empty if the driver gave none, or none that can be read
     */
    record AzureToken(SecretValue token, Optional<Instant> expiry) implements AccountCredentials {}
}
