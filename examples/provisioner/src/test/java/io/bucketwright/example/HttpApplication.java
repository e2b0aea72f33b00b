package io.bucketwright.example;

import io.bucketwright.store.connection.Credentials.AccessKey;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.contract.Contract;
import io.bucketwright.store.contract.ObjectClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** An application that uses only the connection data of its claim. */
record HttpApplication(URI bucket, String authorization) implements ObjectClient {

    static HttpApplication of(ProvisionedBucket bucket) {
        AccessKey key = Contract.accessKey(bucket);
        String pair = key.id() + ":" + key.secret().reveal();
        return new HttpApplication(
                bucket.connection()
                        .endpoint()
                        .uri()
                        .resolve("/" + bucket.connection().bucket() + "/"),
                "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public void put(String key, String text) {
        send("PUT", key, BodyPublishers.ofString(text));
    }

    @Override
    public String get(String key) {
        return send("GET", key, BodyPublishers.noBody());
    }

    @Override
    public List<String> list(String prefix) {
        return send("GET", "", BodyPublishers.noBody())
                .lines()
                .filter(key -> key.startsWith(prefix))
                .toList();
    }

    @Override
    public void delete(String key) {
        send("DELETE", key, BodyPublishers.noBody());
    }

    @Override
    public void tryForbidden(ForbiddenOperation operation) {
        switch (operation) {
            case LIST_BUCKETS -> send("GET", "/", BodyPublishers.noBody());
            case DELETE_BUCKET -> send("DELETE", "", BodyPublishers.noBody());
            case CREATE_BUCKET -> send("PUT", "/another-bucket/", BodyPublishers.noBody());
            case PUT_POLICY, PUT_TAGS, PUT_ACL, PUT_VERSIONING ->
                send("PUT", "?" + operation.name(), BodyPublishers.ofString("{}"));
        }
    }

    private String send(String method, String path, BodyPublisher body) {
        HttpRequest request = HttpRequest.newBuilder(bucket.resolve(path))
                .method(method, body)
                .header("Authorization", authorization)
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() >= 300) {
                throw new Refused(method + " returned " + response.statusCode(), new IOException());
            }
            return response.body();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
