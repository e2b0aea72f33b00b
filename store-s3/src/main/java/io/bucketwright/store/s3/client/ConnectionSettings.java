package io.bucketwright.store.s3.client;

import io.bucketwright.store.connection.CaBundle;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.Parameters;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.retries.api.RetryStrategy;

/**
 * How the controller connects to a store.
 *
 * @param attempts how often a request is sent at most
 * @param reuse whether a connection serves more than one request
 * @param caBundle trusted certificates in PEM format; empty for the trust store of the machine
 */
public record ConnectionSettings(
        Duration connectTimeout,
        Duration readTimeout,
        RetryMode retryMode,
        int attempts,
        ProxySetting proxy,
        boolean reuse,
        String caBundle) {

    private static final String CONNECT_TIMEOUT = "connectTimeout";
    private static final String READ_TIMEOUT = "readTimeout";
    private static final String RETRY_MODE = "retryMode";
    private static final String RETRY_ATTEMPTS = "retryAttempts";
    private static final String PROXY = "proxy";
    private static final String CONNECTION_REUSE = "connectionReuse";
    private static final String CA_BUNDLE = "caBundle";

    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final int DEFAULT_ATTEMPTS = 3;
    private static final int MAX_ATTEMPTS = 10;

    /** The parameters of a class that these settings are read from. */
    public static List<Parameter> parameters() {
        return List.of(
                Parameter.optional(CONNECT_TIMEOUT, "How long to wait for a connection: 0.1s to 60s.")
                        .withDefault("2s")
                        .checkedBy(ConnectionSettings::duration),
                Parameter.optional(
                                READ_TIMEOUT,
                                "How long to wait for the next bytes of a response: 0.1s to 60s. The time limit of the call"
                                        + " applies too.")
                        .withDefault("5s")
                        .checkedBy(ConnectionSettings::duration),
                Parameter.optional(
                                RETRY_MODE,
                                "Whether the AWS SDK repeats a failed request: off, standard or adaptive. The controller"
                                        + " retries with back-off in any case.")
                        .withDefault("off")
                        .checkedBy(RetryMode::parse),
                Parameter.optional(
                                RETRY_ATTEMPTS,
                                "The maximum number of times that the SDK sends a request: 2 to 10. Defaults to 3. Only"
                                        + " with `retryMode` standard or adaptive.")
                        .checkedBy(ConnectionSettings::attempts),
                Parameter.optional(
                                PROXY,
                                "The HTTP proxy for requests to the store: an http URL, or none. Defaults to the"
                                        + " environment variables of the controller (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).")
                        .checkedBy(ProxySetting::parse),
                Parameter.optional(CONNECTION_REUSE, "Whether a connection serves more than one request.")
                        .withDefault("true")
                        .bool(),
                Parameter.optional(
                                CA_BUNDLE,
                                "Trusted CA certificates in PEM format. They replace the trust store of the machine.")
                        .checkedBy(CaBundle::parse));
    }

    /**
     * Reads the parameters of a class.
     *
     * @throws Invalid if parameters contradict each other
     */
    public static ConnectionSettings of(Parameters parameters) {
        RetryMode mode = RetryMode.parse(parameters.text(RETRY_MODE));
        if (mode == RetryMode.OFF && parameters.find(RETRY_ATTEMPTS).isPresent()) {
            throw new Invalid(
                    "parameter " + RETRY_ATTEMPTS + ": set " + RETRY_MODE + " to standard or adaptive, or omit it");
        }
        return new ConnectionSettings(
                duration(parameters.text(CONNECT_TIMEOUT)),
                duration(parameters.text(READ_TIMEOUT)),
                mode,
                parameters
                        .find(RETRY_ATTEMPTS)
                        .map(ConnectionSettings::attempts)
                        .orElse(DEFAULT_ATTEMPTS),
                parameters.find(PROXY).map(ProxySetting::parse).orElseGet(ProxySetting.Environment::new),
                parameters.isTrue(CONNECTION_REUSE),
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

    public RetryStrategy retries() {
        return retryMode.strategy(attempts);
    }

    /** What changes each request. */
    public List<ExecutionInterceptor> interceptors() {
        return reuse ? List.of() : List.of(new ConnectionClose());
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

    private static int attempts(String text) {
        if (text.matches("\\d{1,2}")) {
            int attempts = Integer.parseInt(text);
            if (attempts >= 2 && attempts <= MAX_ATTEMPTS) {
                return attempts;
            }
        }
        throw new Invalid(InputText.quote(text) + " must be a number from 2 to " + MAX_ATTEMPTS);
    }
}
