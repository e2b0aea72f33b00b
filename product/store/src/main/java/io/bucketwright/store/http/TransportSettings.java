package io.bucketwright.store.http;

import io.bucketwright.store.connection.CaBundle;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.ParameterSchema;
import io.bucketwright.store.parameters.Parameters;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Set;

/**
 * How to connect to the servers of a store.
 *
 * @param endpoint the server of most requests
 * @param directHosts hosts that are never reached through a proxy, besides this machine
 * @param caBundle trusted certificates in PEM format; empty for the trust store of the machine
 * @param proxy the URL of an HTTP proxy, or none; empty if the environment decides
 * @param connectTimeout for a connection
 * @param requestTimeout for a request with its whole response
 */
public record TransportSettings(
        Endpoint endpoint,
        Set<String> directHosts,
        String caBundle,
        String proxy,
        Duration connectTimeout,
        Duration requestTimeout) {

    public static final Parameter CA_BUNDLE = Parameter.optional(
                    "caBundle", "Trusted CA certificates in PEM format. They replace the trust store of the machine.")
            .checkedBy(CaBundle::parse)
            .connection();

    public static final Parameter PROXY = Parameter.optional(
                    "proxy",
                    "The HTTP proxy for requests to the store: an http URL, or none. Defaults to the environment variables"
                            + " of the controller (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).")
            .checkedBy(StoreProxy::check)
            .connection();

    private static final String CONNECT_TIMEOUT = "connectTimeout";
    private static final String REQUEST_TIMEOUT = "requestTimeout";
    private static final Duration LONGEST = Duration.ofSeconds(60);

    public TransportSettings {
        directHosts = Set.copyOf(directHosts);
    }

    /** The parameters of a class that {@link #of} reads. */
    public static ParameterSchema schema() {
        return ParameterSchema.of(
                CA_BUNDLE,
                PROXY,
                Parameter.optional(CONNECT_TIMEOUT, "The time limit for a connection to the store: at most `60s`.")
                        .withDefault("2s")
                        .checkedBy(TransportSettings::timeout)
                        .connection(),
                Parameter.optional(REQUEST_TIMEOUT, "The time limit for a request to the store: at most `60s`.")
                        .withDefault("5s")
                        .checkedBy(TransportSettings::timeout)
                        .connection());
    }

    /** Reads validated parameters. */
    public static TransportSettings of(Parameters parameters, Endpoint endpoint, Set<String> directHosts) {
        return new TransportSettings(
                endpoint,
                directHosts,
                parameters.find(CA_BUNDLE.name()).orElse(""),
                parameters.find(PROXY.name()).orElse(""),
                timeout(parameters.text(CONNECT_TIMEOUT)),
                timeout(parameters.text(REQUEST_TIMEOUT)));
    }

    private static Duration timeout(String text) {
        try {
            Duration parsed = Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
            if (parsed.isPositive() && parsed.compareTo(LONGEST) <= 0) {
                return parsed;
            }
        } catch (DateTimeParseException malformed) {
            // Rejected below, like a duration out of range.
        }
        throw new Invalid(
                InputText.quote(text) + " must be a duration of more than 0s and at most 60s, such as 5s or 1.5s");
    }
}
