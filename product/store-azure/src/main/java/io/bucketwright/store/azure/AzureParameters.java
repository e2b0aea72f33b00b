package io.bucketwright.store.azure;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.ConnectionDataKey;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.http.TransportSettings;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.ParameterSchema;
import io.bucketwright.store.parameters.Parameters;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The class parameters of a store in Azure Blob Storage.
 *
 * @param endpoint the Blob service endpoint that the controller uses
 * @param publicEndpoint the Blob service endpoint that applications use
 * @param pathStyle whether the path of requests to the endpoint starts with the account
 * @param publicPathStyle the same for applications
 * @param connection how to connect to the endpoint
 */
record AzureParameters(
        String account,
        Endpoint endpoint,
        Endpoint publicEndpoint,
        boolean pathStyle,
        boolean publicPathStyle,
        TransportSettings connection) {

    private static final String ACCOUNT = "storageAccount";
    private static final String ENDPOINT = "endpoint";
    private static final String PUBLIC_ENDPOINT = "publicEndpoint";
    private static final String PATH_STYLE = "pathStyle";

    private static final String PUBLIC_CLOUD = ".blob.core.windows.net";
    private static final Pattern ACCOUNT_SHAPE = Pattern.compile("[a-z0-9]{3,24}");

    static ParameterSchema schema() {
        return ParameterSchema.of(
                        Parameter.required(ACCOUNT, "The name of the storage account.")
                                .matching(ACCOUNT_SHAPE, "3 to 24 lower case letters and digits"),
                        Parameter.optional(
                                        ENDPOINT,
                                        "The Blob service endpoint that the controller uses: a URL without a path. Defaults to"
                                                + " `https://ACCOUNT.blob.core.windows.net`.")
                                .checkedBy(Endpoint::parse)
                                .connection(),
                        Parameter.optional(
                                        PUBLIC_ENDPOINT,
                                        "The Blob service endpoint that applications use: a URL without a path. Defaults to"
                                                + " `endpoint`.")
                                .checkedBy(Endpoint::parse)
                                .connection(),
                        Parameter.optional(
                                        PATH_STYLE,
                                        "Whether requests have the account in the path, as Azurite requires. Defaults to `false` if"
                                                + " the host name starts with the account, and to `true` otherwise.")
                                .bool()
                                .connection())
                .plus(TransportSettings.schema());
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
                TransportSettings.of(parameters, endpoint, Set.of()));
    }

    /** How applications connect to a container. */
    Connection connection(BucketName bucket) {
        return new Connection(
                bucket,
                publicEndpoint,
                Map.of(
                        ConnectionDataKey.AZURE_STORAGE_ACCOUNT.key(), account,
                        ConnectionDataKey.AZURE_STORAGE_CONTAINER.key(), bucket.text(),
                        ConnectionDataKey.AZURE_STORAGE_SERVICE_ENDPOINT.key(), publicServiceUrl()));
    }

    /** The URL that the paths of requests follow. */
    String serviceUrl() {
        return endpoint + (pathStyle ? "/" + account : "");
    }

    /** A shared access signature; deleting its stored access policy revokes it. */
    Credentials credentials(String policy, SecretValue token) {
        String connectionString = "BlobEndpoint=" + publicServiceUrl() + ";SharedAccessSignature=" + token.reveal();
        return new Credentials(
                policy,
                Map.of(
                        ConnectionDataKey.AZURE_STORAGE_SAS_TOKEN.key(),
                        token,
                        ConnectionDataKey.AZURE_STORAGE_CONNECTION_STRING.key(),
                        SecretValue.of(connectionString)));
    }

    /** The URL of the Blob service, as SDKs and connection strings have it. */
    private String publicServiceUrl() {
        return publicEndpoint + (publicPathStyle ? "/" + account : "");
    }

    private static boolean isNamedAfter(String account, Endpoint endpoint) {
        return endpoint.host().toLowerCase(Locale.ROOT).startsWith(account + ".");
    }
}
