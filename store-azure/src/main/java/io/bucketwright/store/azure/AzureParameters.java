package io.bucketwright.store.azure;

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
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The class parameters of a store in Azure Blob Storage.
 *
 * @param endpoint the Blob service endpoint that the controller uses
 * @param publicEndpoint the Blob service endpoint that applications use
 * @param pathStyle whether the path of requests to the endpoint starts with the account
 * @param publicPathStyle the same for applications
 * @param caBundle trusted certificates in PEM format; empty for the trust store of the machine
 * @param proxy the URL of an HTTP proxy, or none; empty if the environment decides
 * @param connectTimeout for a connection
 * @param requestTimeout for a request with its response
 */
record AzureParameters(
        String account,
        Endpoint endpoint,
        Endpoint publicEndpoint,
        boolean pathStyle,
        boolean publicPathStyle,
        String caBundle,
        String proxy,
        Duration connectTimeout,
        Duration requestTimeout) {

    private static final String ACCOUNT = "storageAccount";
    private static final String ENDPOINT = "endpoint";
    private static final String PUBLIC_ENDPOINT = "publicEndpoint";
    private static final String PATH_STYLE = "pathStyle";
    private static final String CA_BUNDLE = "caBundle";
    private static final String PROXY = "proxy";
    private static final String CONNECT_TIMEOUT = "connectTimeout";
    private static final String REQUEST_TIMEOUT = "requestTimeout";

    private static final String PUBLIC_CLOUD = ".blob.core.windows.net";
    private static final Pattern ACCOUNT_SHAPE = Pattern.compile("[a-z0-9]{3,24}");
    private static final Duration LONGEST = Duration.ofSeconds(60);

    static ParameterSchema schema() {
        return ParameterSchema.of(
                Parameter.required(ACCOUNT, "The name of the storage account.").checkedBy(AzureParameters::account),
                Parameter.optional(
                                ENDPOINT,
                                "The Blob service endpoint that the controller uses: a URL without a path. Defaults to"
                                        + " `https://ACCOUNT.blob.core.windows.net`.")
                        .checkedBy(Endpoint::parse),
                Parameter.optional(
                                PUBLIC_ENDPOINT,
                                "The Blob service endpoint that applications use: a URL without a path. Defaults to"
                                        + " `endpoint`.")
                        .checkedBy(Endpoint::parse),
                Parameter.optional(
                                PATH_STYLE,
                                "Whether requests have the account in the path, as Azurite requires. Defaults to `false` if"
                                        + " the host name starts with the account, and to `true` otherwise.")
                        .bool(),
                Parameter.optional(
                                CA_BUNDLE,
                                "Trusted CA certificates in PEM format. They replace the trust store of the machine.")
                        .checkedBy(CaBundle::parse),
                Parameter.optional(
                                PROXY,
                                "The HTTP proxy for requests to the store: an http URL, or none. Defaults to the"
                                        + " environment variables of the controller (HTTPS_PROXY, HTTP_PROXY,"
                                        + " NO_PROXY).")
                        .checkedBy(ProxyServer::check),
                Parameter.optional(CONNECT_TIMEOUT, "The time limit for a connection to the store: at most `60s`.")
                        .withDefault("2s")
                        .checkedBy(AzureParameters::timeout),
                Parameter.optional(REQUEST_TIMEOUT, "The time limit for a request to the store: at most `60s`.")
                        .withDefault("5s")
                        .checkedBy(AzureParameters::timeout));
    }

    static AzureParameters of(Parameters parameters) {
        String account = parameters.text(ACCOUNT);
        Endpoint endpoint = parameters
                .find(ENDPOINT)
                .map(Endpoint::parse)
                .orElseGet(() -> Endpoint.parse("https://" + account + PUBLIC_CLOUD));
        Endpoint publicEndpoint =
                parameters.find(PUBLIC_ENDPOINT).map(Endpoint::parse).orElse(endpoint);
        Optional<Boolean> pathStyle = parameters.find(PATH_STYLE).map(Boolean::valueOf);
        return new AzureParameters(
                account,
                endpoint,
                publicEndpoint,
                pathStyle.orElseGet(() -> !isNamedAfter(account, endpoint)),
                pathStyle.orElseGet(() -> !isNamedAfter(account, publicEndpoint)),
                parameters.find(CA_BUNDLE).orElse(""),
                parameters.find(PROXY).orElse(""),
                timeout(parameters.text(CONNECT_TIMEOUT)),
                timeout(parameters.text(REQUEST_TIMEOUT)));
    }

    /** The URL that the paths of requests follow. */
    String serviceUrl() {
        return endpoint + (pathStyle ? "/" + account : "");
    }

    private static boolean isNamedAfter(String account, Endpoint endpoint) {
        return endpoint.host().toLowerCase(Locale.ROOT).startsWith(account + ".");
    }

    private static void account(String text) {
        if (!ACCOUNT_SHAPE.matcher(text).matches()) {
            throw new Invalid(InputText.quote(text) + " must be 3 to 24 lower case letters and digits");
        }
    }

    private static Duration timeout(String text) {
        Duration parsed;
        try {
            parsed = Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
        } catch (DateTimeParseException e) {
            throw invalidTimeout(text);
        }
        if (!parsed.isPositive() || parsed.compareTo(LONGEST) > 0) {
            throw invalidTimeout(text);
        }
        return parsed;
    }

    private static Invalid invalidTimeout(String text) {
        return new Invalid(
                InputText.quote(text) + " must be a duration of more than 0s and at most 60s, such as 5s or 1.5s");
    }
}
