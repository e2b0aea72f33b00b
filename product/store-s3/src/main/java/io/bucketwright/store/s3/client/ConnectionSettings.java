package io.bucketwright.store.s3.client;

import io.bucketwright.store.connection.CaBundle;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.http.TransportSettings;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.Parameters;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;

/**
 * How the controller connects to a store.
 *
 * @param caBundle trusted certificates in PEM format; empty for the trust store of the machine
 */
public record ConnectionSettings(Duration connectTimeout, Duration readTimeout, ProxySetting proxy, String caBundle) {

    private static final String CONNECT_TIMEOUT = "connectTimeout";
    private static final String READ_TIMEOUT = "readTimeout";
    private static final String PROXY = TransportSettings.PROXY.name();
    private static final String CA_BUNDLE = TransportSettings.CA_BUNDLE.name();

    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /** The parameters of a class that these settings are read from. */
    public static List<Parameter> parameters() {
        return List.of(
                Parameter.optional(CONNECT_TIMEOUT, "How long to wait for a connection: 0.1s to 60s.")
                        .withDefault("2s")
                        .checkedBy(ConnectionSettings::duration)
                        .connection(),
                Parameter.optional(
                                READ_TIMEOUT,
                                "How long to wait for the next bytes of a response: 0.1s to 60s. The time limit of the call"
                                        + " applies too.")
                        .withDefault("5s")
                        .checkedBy(ConnectionSettings::duration)
                        .connection(),
                TransportSettings.PROXY,
                TransportSettings.CA_BUNDLE);
    }

    /** Reads the parameters of a class. */
    public static ConnectionSettings of(Parameters parameters) {
        return new ConnectionSettings(
                duration(parameters.text(CONNECT_TIMEOUT)),
                duration(parameters.text(READ_TIMEOUT)),
                parameters.find(PROXY).map(ProxySetting::of).orElseGet(ProxySetting.Environment::new),
                parameters.find(CA_BUNDLE).orElse(""));
    }

    /** A client for one endpoint. */
    public SdkHttpClient http(Endpoint endpoint) {
        UrlConnectionHttpClient.Builder http = UrlConnectionHttpClient.builder()
                .connectionTimeout(connectTimeout)
                .socketTimeout(readTimeout)
                .proxyConfiguration(proxy.configuration(endpoint));
        if (!caBundle.isEmpty()) {
            http.tlsTrustManagersProvider(() -> CaBundle.trustManagers(caBundle));
        }
        return http.build();
    }

    private static Duration duration(String text) {
        return duration(text, SHORTEST, LONGEST);
    }

    static Duration duration(String text, Duration shortest, Duration longest) {
        try {
            Duration duration = Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
            if (duration.compareTo(shortest) >= 0 && duration.compareTo(longest) <= 0) {
                return duration;
            }
        } catch (DateTimeParseException e) {
            // Rejected below, like a duration out of range.
        }
        throw new Invalid(InputText.quote(text) + " must be a duration from " + seconds(shortest) + " to "
                + seconds(longest) + ", such as 5s");
    }

    private static String seconds(Duration duration) {
        return duration.toString().substring(2).toLowerCase(Locale.ROOT);
    }
}
