package io.bucketwright.store.gcs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.http.LimitedTransport;
import io.bucketwright.store.http.Transport;
import java.net.HttpURLConnection;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Sends requests with an access token of the administrator, within the limits of a call, and translates errors to a
 * {@link StoreException}. It does not retry: retries with back-off belong to the caller's work queue.
 */
final class GcsClient implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** A token is not used shortly before it expires. */
    private static final Duration SPARE = Duration.ofMinutes(2);

    private static final AccessToken NO_TOKEN = new AccessToken("", 0);

    private final LimitedTransport transport;
    private final TokenSource source;
    private final AtomicReference<AccessToken> token = new AtomicReference<>(NO_TOKEN);

    /** A token, and until when it is used, on the monotonic clock. */
    private record AccessToken(String text, long endNanos) {
        @Override
        public String toString() {
            return "AccessToken";
        }
    }

    GcsClient(Transport transport, TokenSource source) {
        this.transport = new LimitedTransport(transport);
        this.source = source;
    }

    /** Sends a request and returns the JSON in its response; a missing node if the response is empty. */
    JsonNode send(StoreCall call, ApiRequest request) {
        return json(request, require(request, exchange(call, request)));
    }

    /** Like {@link #send}, for a request with a precondition; empty if it is not met, or no longer. */
    Optional<JsonNode> sendConditionally(StoreCall call, ApiRequest request) {
        HttpResponse<byte[]> response = exchange(call, request);
        if (ErrorTranslation.isPreconditionFailure(request, response)) {
            return Optional.empty();
        }
        return Optional.of(json(request, require(request, response)));
    }

    /** Sends a request of the XML API, and returns the body of its response. */
    byte[] sendXml(StoreCall call, ApiRequest request) {
        return require(request, exchange(call, request)).body();
    }

    /**
     * Like {@link #send}, for a response that is a resource of this kind. A response without it comes from something else,
     * such as a proxy, and proves nothing.
     */
    JsonNode read(StoreCall call, ApiRequest request, String kind) {
        return requireKind(request, send(call, request), kind);
    }

    /** The pages of a list, each read when it is needed. A page can be empty although more follow. */
    Stream<JsonNode> pages(StoreCall call, ApiRequest request, String kind) {
        return Stream.iterate(
                        Optional.of(read(call, request, kind)),
                        Optional::isPresent,
                        page -> page.map(GcsClient::nextToken)
                                .filter(Predicate.not(String::isEmpty))
                                .map(token -> read(call, request.from(token), kind)))
                .flatMap(Optional::stream);
    }

    /** Where a list continues; empty after the last page. */
    static String nextToken(JsonNode page) {
        return page.path("nextPageToken").asText("");
    }

    static JsonNode requireKind(ApiRequest request, JsonNode response, String kind) {
        if (!response.path("kind").asText("").equals(kind)) {
            throw ErrorTranslation.unexpectedResponse(request);
        }
        return response;
    }

    private HttpResponse<byte[]> exchange(StoreCall call, ApiRequest request) {
        HttpRequest.Builder builder =
                HttpRequest.newBuilder(request.uri()).header("Authorization", "Bearer " + token(call, request));
        if (request.body().isPresent()) {
            builder.header("Content-Type", "application/json; charset=UTF-8")
                    .method(
                            request.method(),
                            HttpRequest.BodyPublishers.ofString(
                                    request.body().get().toString()));
        } else {
            builder.method(request.method(), HttpRequest.BodyPublishers.noBody());
        }
        HttpResponse<byte[]> response = transmit(call, request.action(), builder);
        if (response.statusCode() == HttpURLConnection.HTTP_UNAUTHORIZED) {
            token.set(NO_TOKEN);
        }
        return response;
    }

    /** The current token. Several threads may request a new one at the same time; each of them works. */
    private String token(StoreCall call, ApiRequest reason) {
        AccessToken current = token.get();
        long nowNanos = System.nanoTime();
        if (!current.text().isEmpty() && nowNanos - current.endNanos() < 0) {
            return current.text();
        }
        String action = reason.action() + ": could not get an access token";
        HttpResponse<byte[]> response = transmit(call, action, source.request(Instant.now()));
        int status = response.statusCode();
        JsonNode json = parse(response).orElseGet(MissingNode::getInstance);
        if (status == HttpURLConnection.HTTP_OK
                && !json.path("access_token").asText("").isEmpty()) {
            Duration used = Duration.ofSeconds(json.path("expires_in").asInt(0)).minus(SPARE);
            AccessToken fresh = new AccessToken(json.path("access_token").asText(), nowNanos + used.toNanos());
            token.set(fresh);
            return fresh.text();
        }
        String message = "Could not " + action + ": the token endpoint responded " + status
                + ErrorTranslation.quoted(json.path("error").asText("")) + ".";
        // An OAuth server rejects an assertion with 400 and names the error.
        boolean rejected = status == HttpURLConnection.HTTP_UNAUTHORIZED
                || status == HttpURLConnection.HTTP_FORBIDDEN
                || (status == HttpURLConnection.HTTP_BAD_REQUEST
                        && json.path("error").isTextual())
                || (status == HttpURLConnection.HTTP_NOT_FOUND && source instanceof TokenSource.Metadata);
        throw rejected
                ? new Denied(message + " " + source.advice())
                : new Unavailable(message + ErrorTranslation.NOT_GOOGLE);
    }

    private HttpResponse<byte[]> transmit(StoreCall call, String action, HttpRequest.Builder builder) {
        HttpRequest request = builder.build();
        String server = request.uri().getScheme() + "://" + request.uri().getAuthority();
        return transport.send(call, action, server, request);
    }

    private static HttpResponse<byte[]> require(ApiRequest request, HttpResponse<byte[]> response) {
        if (response.statusCode() < HttpURLConnection.HTTP_OK
                || response.statusCode() >= HttpURLConnection.HTTP_MULT_CHOICE) {
            throw ErrorTranslation.of(request, response);
        }
        return response;
    }

    private static JsonNode json(ApiRequest request, HttpResponse<byte[]> response) {
        return response.body().length == 0
                ? MissingNode.getInstance()
                : parse(response)
                        .filter(JsonNode::isObject)
                        .orElseThrow(() -> ErrorTranslation.unexpectedResponse(request));
    }

    static Optional<JsonNode> parse(HttpResponse<byte[]> response) {
        try {
            return Optional.ofNullable(JSON.readTree(new String(response.body(), StandardCharsets.UTF_8)));
        } catch (JsonProcessingException notJson) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        transport.close();
    }
}
