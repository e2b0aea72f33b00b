package io.bucketwright.store.gcs;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.contract.ObjectClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.regex.Pattern;

/** A client of the XML API without credentials, such as a browser. */
record AnonymousApplication(String endpoint, BucketName bucket) implements ObjectClient {

    private static final Pattern KEY = Pattern.compile("<Key>([^<]*)</Key>");

    @Override
    public void put(String key, String text) {
        String _ = send("PUT", "/" + key, text);
    }

    @Override
    public String get(String key) {
        return send("GET", "/" + key, "");
    }

    @Override
    public List<String> list(String prefix) {
        return KEY.matcher(send("GET", "?list-type=2&prefix=" + prefix, ""))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    @Override
    public void delete(String key) {
        String _ = send("DELETE", "/" + key, "");
    }

    @Override
    public void tryForbidden(ForbiddenOperation operation) {
        throw new UnsupportedOperationException(operation.toString());
    }

    private String send(String method, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(endpoint + "/" + bucket + path))
                .method(method, BodyPublishers.ofString(body))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            if (response.statusCode() >= 400) {
                throw new Refused(response.body(), new IOException(response.toString()));
            }
            return response.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
