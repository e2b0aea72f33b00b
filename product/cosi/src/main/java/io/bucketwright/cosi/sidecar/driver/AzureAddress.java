package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The address in a token of Azure: drivers answer the URL of the container, with the shared access signature as its query.
 *
 * @param account the storage account
 * @param serviceUrl the URL of the Blob service, as SDKs and connection strings have it
 * @param signature without the URL
 */
record AzureAddress(Endpoint endpoint, String account, String serviceUrl, SecretValue signature) {

    /** Empty if the token is a signature without a URL. */
    static Optional<AzureAddress> find(SecretValue token) {
        try {
            URI url = new URI(token.reveal());
            if (url.getScheme() == null || url.getRawAuthority() == null || url.getRawQuery() == null) {
                return Optional.empty();
            }
            Endpoint endpoint = Endpoint.parse(url.getScheme() + "://" + url.getRawAuthority());
            List<String> path = Stream.of(url.getRawPath().split("/"))
                    .filter(part -> !part.isEmpty())
                    .toList();
            // With the account in the path, the container follows it, as in an emulator.
            boolean pathStyle = path.size() > 1;
            String account = pathStyle ? path.getFirst() : endpoint.host().split("\\.", 2)[0];
            return Optional.of(new AzureAddress(
                    endpoint, account, endpoint + (pathStyle ? "/" + account : ""), SecretValue.of(url.getRawQuery())));
        } catch (URISyntaxException | Invalid notAnAddress) {
            return Optional.empty();
        }
    }
}
