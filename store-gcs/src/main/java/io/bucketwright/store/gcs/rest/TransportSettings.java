package io.bucketwright.store.gcs.rest;

import io.bucketwright.store.connection.Endpoint;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * How to connect to the servers of a store.
 *
 * @param endpoint the server of most requests
 * @param metadata the metadata server, which is never reached through a proxy
 * @param caBundle trusted certificates in PEM format; empty for the trust store of the machine
 * @param proxy an HTTP proxy; empty for that of the JVM, if it has one
 * @param connectTimeout for a connection
 * @param requestTimeout for a request with its whole response
 */
public record TransportSettings(
        Endpoint endpoint,
        Endpoint metadata,
        String caBundle,
        Optional<Endpoint> proxy,
        Duration connectTimeout,
        Duration requestTimeout) {

    /** Whether requests to this host use no proxy: a proxy cannot reach the machine or the pod that asks it. */
    boolean isDirect(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        return lower.equals("localhost")
                || lower.equals("[::1]")
                || lower.matches("127\\.\\d+\\.\\d+\\.\\d+")
                || lower.equals(metadata.host().toLowerCase(Locale.ROOT));
    }
}
