package io.bucketwright.cosi.bench;

import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.testing.sdk.BlobClient;
import java.net.http.HttpResponse;
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
        return new BlobClient(service, token).send(method, path, body);
    }
}
