package io.bucketwright.store.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.contract.ObjectClient;
import io.bucketwright.store.http.HttpTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** An application that uses its service account key with the JSON API. It gets a new token for each request, or keeps one. */
final class TokenApplication implements ObjectClient {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpTransport transport;
    private final String endpoint;
    private final String bucket;
    private final ServiceAccountFile file;
    private Optional<String> kept = Optional.empty();

    TokenApplication(ProvisionedBucket provisioned) {
        Endpoint server = provisioned.connection().endpoint();
        this.transport = StrictStore.transport(server);
        this.endpoint = server.toString();
        this.bucket = provisioned.connection().bucket().text();
        this.file = ServiceAccountFile.parse(
                Objects.requireNonNull(provisioned.credentials().values().get("GOOGLE_SERVICE_ACCOUNT_JSON")));
    }

    TokenApplication keepingItsToken() {
        kept = Optional.of(token());
        return this;
    }

    @Override
    public void put(String key, String text) {
        send("POST", "/upload/storage/v1/b/" + bucket + "/o?uploadType=media&name=" + ApiRequest.encode(key), text);
    }

    @Override
    public String get(String key) {
        return send("GET", object(key) + "?alt=media", "");
    }

    @Override
    public List<String> list(String prefix) {
        List<String> keys = new ArrayList<>();
        parse(send("GET", "/storage/v1/b/" + bucket + "/o?prefix=" + ApiRequest.encode(prefix), ""))
                .path("items")
                .forEach(item -> keys.add(item.path("name").asText()));
        return keys;
    }

    @Override
    public void delete(String key) {
        send("DELETE", object(key), "");
    }

    @Override
    public void tryForbidden(ForbiddenOperation operation) {
        String path = "/storage/v1/b/" + bucket;
        switch (operation) {
            case LIST_BUCKETS -> send("GET", "/storage/v1/b?project=strict-project", "");
            case DELETE_BUCKET -> send("DELETE", path, "");
            case CREATE_BUCKET ->
                send("POST", "/storage/v1/b?project=strict-project", "{\"name\":\"" + bucket + "-2\"}");
            case PUT_POLICY -> send("PUT", path + "/iam", "{\"bindings\":[]}");
            case PUT_TAGS -> send("PATCH", path, "{\"labels\":{\"mine\":\"now\"}}");
            case PUT_ACL ->
                send("PATCH", path, "{\"iamConfiguration\":{\"uniformBucketLevelAccess\":{\"enabled\":false}}}");
            case PUT_VERSIONING -> send("PATCH", path, "{\"versioning\":{\"enabled\":true}}");
        }
    }

    private String object(String key) {
        return "/storage/v1/b/" + bucket + "/o/" + ApiRequest.encode(key);
    }

    private String token() {
        HttpResponse<byte[]> response = transmit(new TokenSource.Key(file, file.tokenUri()).request(Instant.now()));
        if (response.statusCode() != 200) {
            throw new Refused("no token", new IOException(text(response)));
        }
        return parse(text(response)).path("access_token").asText();
    }

    private String send(String method, String path, String body) {
        HttpResponse<byte[]> response = transmit(HttpRequest.newBuilder(URI.create(endpoint + path))
                .header("Authorization", "Bearer " + kept.orElseGet(this::token))
                .header("Content-Type", body.startsWith("{") ? "application/json" : "text/plain")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body)));
        if (response.statusCode() == 401 || response.statusCode() == 403) {
            throw new Refused("refused", new IOException(text(response)));
        }
        if (response.statusCode() >= 300) {
            throw new IllegalStateException(response.statusCode() + " " + text(response));
        }
        return text(response);
    }

    private HttpResponse<byte[]> transmit(HttpRequest.Builder request) {
        try {
            return transport.send(request.build(), Duration.ofSeconds(5));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static JsonNode parse(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }
}
