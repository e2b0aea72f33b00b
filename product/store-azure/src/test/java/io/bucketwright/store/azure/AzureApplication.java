package io.bucketwright.store.azure;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.ConnectionData;
import io.bucketwright.store.connection.KeyRenames;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.contract.ObjectClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** An application that uses only what is in its ConfigMap and its Secret, and knows no account key. */
final class AzureApplication implements ObjectClient {

    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(HttpClient.Builder.NO_PROXY)
            .build();

    private final String service;
    private final String container;
    private final String token;

    AzureApplication(ProvisionedBucket bucket) {
        ConnectionData data = ConnectionData.of(bucket, KeyRenames.none());
        this.service = value(data.config(), "AZURE_STORAGE_SERVICE_ENDPOINT");
        this.container = value(data.config(), "AZURE_STORAGE_CONTAINER");
        this.token = value(data.secret(), "AZURE_STORAGE_SAS_TOKEN").reveal();
    }

    /** A client without credentials, such as a browser. */
    AzureApplication(String service, BucketName container) {
        this.service = service;
        this.container = container.text();
        this.token = "";
    }

    @Override
    public void put(String key, String text) {
        send("PUT", blob(key), Map.of("x-ms-blob-type", "BlockBlob"), text);
    }

    @Override
    public String get(String key) {
        return send("GET", blob(key), Map.of(), "");
    }

    @Override
    public List<String> list(String prefix) {
        String page = send(
                "GET",
                "/" + container + "?restype=container&comp=list&prefix=" + BlobService.encode(prefix),
                Map.of(),
                "");
        return BlobXml.blobs(page.getBytes(StandardCharsets.UTF_8)).blobs().stream()
                .map(BlobXml.Blob::name)
                .toList();
    }

    @Override
    public void delete(String key) {
        send("DELETE", blob(key), Map.of(), "");
    }

    @Override
    public void tryForbidden(ForbiddenOperation operation) {
        String own = "/" + container + "?restype=container";
        switch (operation) {
            case LIST_BUCKETS -> send("GET", "/?comp=list", Map.of(), "");
            case DELETE_BUCKET -> send("DELETE", own, Map.of(), "");
            case CREATE_BUCKET -> send("PUT", "/" + container + "-more?restype=container", Map.of(), "");
            case PUT_POLICY -> send("PUT", own + "&comp=acl", Map.of(), "<SignedIdentifiers></SignedIdentifiers>");
            case PUT_TAGS -> send("PUT", own + "&comp=metadata", Map.of("x-ms-meta-mine", "now"), "");
            case PUT_ACL -> send("PUT", own + "&comp=acl", Map.of("x-ms-blob-public-access", "container"), "");
            case PUT_VERSIONING ->
                send("PUT", "/?restype=service&comp=properties", Map.of(), "<StorageServiceProperties/>");
        }
    }

    /** After this, only a request with the id of the lease changes the blob. */
    void acquireEndlessLease(String key) {
        send("PUT", blob(key) + "?comp=lease", Map.of("x-ms-lease-action", "acquire", "x-ms-lease-duration", "-1"), "");
    }

    private String blob(String key) {
        return "/" + container + "/" + BlobService.encode(key).replace("%2F", "/");
    }

    private String send(String method, String path, Map<String, String> headers, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(service + path + (path.contains("?") ? "&" : "?") + token))
                .header("x-ms-version", SharedKey.VERSION)
                .method(method, BodyPublishers.ofString(body));
        headers.forEach(request::header);
        try {
            HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
            // Without credentials, Azure does not tell whether something exists.
            if (response.statusCode() == 403 || (token.isEmpty() && response.statusCode() >= 400)) {
                throw new Refused("refused with " + response.body(), new IOException(response.toString()));
            }
            if (response.statusCode() >= 300) {
                throw new IllegalStateException(response.statusCode() + " " + response.body());
            }
            return response.body();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static <V> V value(Map<String, V> data, String key) {
        V value = data.get(key);
        if (value == null) {
            throw new AssertionError(key + " is missing in " + data.keySet());
        }
        return value;
    }
}
