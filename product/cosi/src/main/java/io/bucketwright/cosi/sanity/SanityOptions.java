package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.store.connection.SecretValue;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Options of a run.
 *
 * @param endpoint socket of the driver
 * @param parameters sent as {@code driver_parameters}, like parameters of a BucketClass
 * @param accessParameters sent in {@code permissions}, like parameters of a BucketAccessClass
 * @param secrets sent with each call; empty if the driver has credentials of its own
 * @param testCredentials whether granted credentials are used to access the store by S3
 * @param only prefixes of the ids of the checks to run; empty for all
 * @param timeout of one call
 * @param dialect the gRPC package to call; empty for the first one that the driver serves
 */
public record SanityOptions(
        SocketPath endpoint,
        Map<String, String> parameters,
        Map<String, String> accessParameters,
        Map<String, SecretValue> secrets,
        boolean testCredentials,
        List<String> only,
        Duration timeout,
        String dialect) {

    public SanityOptions {
        parameters = Map.copyOf(parameters);
        accessParameters = Map.copyOf(accessParameters);
        secrets = Map.copyOf(secrets);
        only = List.copyOf(only);
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException("The timeout must be positive.");
        }
    }

    /** Options of a run that detects the dialect. */
    public SanityOptions(
            SocketPath endpoint,
            Map<String, String> parameters,
            Map<String, String> accessParameters,
            Map<String, SecretValue> secrets,
            boolean testCredentials,
            List<String> only,
            Duration timeout) {
        this(endpoint, parameters, accessParameters, secrets, testCredentials, only, timeout, "");
    }

    /** The same options with another dialect. */
    public SanityOptions withDialect(String other) {
        return new SanityOptions(
                endpoint, parameters, accessParameters, secrets, testCredentials, only, timeout, other);
    }

    boolean selects(String id) {
        return only.isEmpty() || only.stream().anyMatch(id::startsWith);
    }

    /** For a driver that needs no parameters and no secrets. */
    public static SanityOptions of(SocketPath endpoint) {
        return new SanityOptions(endpoint, Map.of(), Map.of(), Map.of(), false, List.of(), Duration.ofSeconds(30));
    }
}
