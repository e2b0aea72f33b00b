package io.bucketwright.cosi.sanity;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Set;

/**
 * An application that uses its container with a shared access signature.
 *
 * @param service the URL of the Blob service
 * @param token empty for anonymous requests
 */
record AzureTestClient(HttpClient http, String service, String container, String token) implements StoreTestClient {

    private static final String VERSION = "2021-12-02";
    private static final int FORBIDDEN = 403;

    /** An account can forbid anonymous access altogether, and a private container does not tell that it exists. */
    private static final Set<Integer> FORBIDDEN_TO_ANONYMOUS = Set.of(401, FORBIDDEN, 404, 409);

    /**
     * A client for the container that the credentials name.
     *
     * @throws CheckFailed if they lack a value that an application needs
     */
    static AzureTestClient of(HttpClient http, GrantedCredentials granted) {
        String token = StoreTestClient.text(granted, "AZURE_STORAGE_SAS_TOKEN");
        return new AzureTestClient(
                http,
                granted.value("AZURE_STORAGE_SERVICE_ENDPOINT")
                        .orElseGet(() -> "https://" + StoreTestClient.text(granted, "AZURE_STORAGE_ACCOUNT")
                                + ".blob.core.windows.net"),
                StoreTestClient.text(granted, "BUCKET_NAME"),
                token.startsWith("?") ? token.substring(1) : token);
    }

    @Override
    public AzureTestClient at(String otherBucket) {
        return new AzureTestClient(http, service, otherBucket, token);
    }

    @Override
    public AzureTestClient anonymous() {
        return new AzureTestClient(http, service, container, "");
    }

    @Override
    public boolean isForbidden(int status) {
        return token.isEmpty() ? FORBIDDEN_TO_ANONYMOUS.contains(status) : status == FORBIDDEN;
    }

    @Override
    public int send(String method, String object, String content) {
        String url = service + "/" + container + "/" + object;
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(token.isEmpty() ? url : url + "?" + token))
                .version(HttpClient.Version.HTTP_1_1)
                .header("x-ms-version", VERSION)
                .method(method, content.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(content));
        if (method.equals("PUT")) {
            request.header("x-ms-blob-type", "BlockBlob");
        }
        return StoreTestClient.status(http, request.build(), url);
    }

    /** Without the token. */
    @Override
    public String toString() {
        return service + "/" + container;
    }
}
