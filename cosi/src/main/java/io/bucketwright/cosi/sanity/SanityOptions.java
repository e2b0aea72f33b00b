package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.store.connection.SecretValue;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a run of the suite is told.
 *
 * @param endpoint where the driver is
 * @param parameters sent as {@code driver_parameters}, as a class would
 * @param accessParameters sent in {@code permissions}, as an access class would
 * @param secrets sent with each call; empty if the driver has credentials of its own
 * @param use whether granted credentials are tried out, by S3
 * @param only beginnings of the ids of the checks to make; empty for all
 * @param patience how long one call may take
 */
public record SanityOptions(
        SocketPath endpoint,
        Map<String, String> parameters,
        Map<String, String> accessParameters,
        Map<String, SecretValue> secrets,
        boolean use,
        List<String> only,
        Duration patience) {

    public SanityOptions {
        parameters = Map.copyOf(parameters);
        accessParameters = Map.copyOf(accessParameters);
        secrets = Map.copyOf(secrets);
        only = List.copyOf(only);
        if (!patience.isPositive()) {
            throw new IllegalArgumentException("The patience must be longer than nothing.");
        }
    }

    /** Whether a check is to be made. */
    boolean wants(String id) {
        return only.isEmpty() || only.stream().anyMatch(id::startsWith);
    }

    /** For a driver that needs nothing but an address. */
    public static SanityOptions of(SocketPath endpoint) {
        return new SanityOptions(endpoint, Map.of(), Map.of(), Map.of(), false, List.of(), Duration.ofSeconds(30));
    }
}
