package io.bucketwright.store.s3;

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

/** Sends S3 requests without credentials. */
record AnonymousClient(String endpoint, String bucket) implements ObjectClient {

    private static final int FORBIDDEN = 403;
    private static final int ERROR = 400;

    @Override
    public void put(String key, String text) {
        send("/" + key, HttpRequest.newBuilder().PUT(BodyPublishers.ofString(text)));
    }

    @Override
    public String get(String key) {
        return send("/" + key, HttpRequest.newBuilder().GET());
    }

    @Override
    public List<String> list(String prefix) {
        String page =
                send("?list-type=2&prefix=" + prefix, HttpRequest.newBuilder().GET());
        return Pattern.compile("<Key>([^<]*)</Key>")
                .matcher(page)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    @Override
    public void delete(String key) {
        send("/" + key, HttpRequest.newBuilder().DELETE());
    }

    @Override
    public void tryForbidden(ForbiddenOperation operation) {
        throw new UnsupportedOperationException("an anonymous client only uses objects");
    }

    private String send(String path, HttpRequest.Builder request) {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> response = http.send(
                    request.uri(URI.create(endpoint + "/" + bucket + path)).build(), BodyHandlers.ofString());
            if (response.statusCode() == FORBIDDEN) {
                throw new Refused("an anonymous request is refused", new IOException(response.body()));
            }
            if (response.statusCode() >= ERROR) {
                throw new IllegalStateException(response.statusCode() + " " + response.body());
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
