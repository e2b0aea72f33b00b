package io.bucketwright.cosi.bench;

import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.store.connection.SecretValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

/** A local Azurite: what a driver needs to use it, and requests of an application. */
public record AzureStore(StoreAccess access) {

    /** The parameters of a driver for this store. */
    public Map<String, String> parameters() {
        // The endpoint without the account.
        return Map.of("storageAccount", access.accessKeyId(), "endpoint", access.iamEndpoint());
    }

    /** The credentials of the administrator. */
    public Map<String, SecretValue> secrets() {
        return Map.of("AZURE_STORAGE_KEY", SecretValue.of(access.secretAccessKey()));
    }

    /**
     * A request of an application with nothing but the connection string of its Secret.
     *
     * @param path the container and the blob, and perhaps a query
     */
    public static HttpResponse<String> send(Map<String, String> data, String method, String path, String body) {
        String[] parts =
                data.getOrDefault("AZURE_STORAGE_CONNECTION_STRING", "").split(";", -1);
        String service = parts[0].substring("BlobEndpoint=".length());
        String token = parts[1].substring("SharedAccessSignature=".length());
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(service + "/" + path + (path.contains("?") ? "&" : "?") + token))
                .header("x-ms-version", "2021-12-02")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (method.equals("PUT")) {
            request.header("x-ms-blob-type", "BlockBlob");
        }
        try (HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .proxy(HttpClient.Builder.NO_PROXY)
                .build()) {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
