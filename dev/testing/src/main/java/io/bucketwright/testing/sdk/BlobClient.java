package io.bucketwright.testing.sdk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** An application of Azure Blob Storage that has nothing but the URL of the service and a shared access signature. */
public final class BlobClient {

    private final String service;
    private final String token;

    public BlobClient(String service, String token) {
        this.service = service;
        this.token = token;
    }

    /**
     * Sends one request.
     *
     * @param path the container and the blob, and perhaps a query
     */
    public HttpResponse<String> send(String method, String path, String body) {
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
