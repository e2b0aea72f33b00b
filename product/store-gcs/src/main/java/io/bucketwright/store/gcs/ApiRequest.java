package io.bucketwright.store.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.store.connection.Endpoint;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A request to one of Google's REST APIs.
 *
 * @param action completes the sentence "Could not …"
 * @param path the encoded path
 * @param query the parameters, not encoded
 * @param conflict what a conflict with this request means
 */
record ApiRequest(
        String action,
        String method,
        Endpoint endpoint,
        String path,
        Map<String, String> query,
        Optional<JsonNode> body,
        Conflict conflict) {

    /** Meanings of a 409. Google has one reason for all of them. */
    enum Conflict {
        /** Another request changed the same resource at the same time. */
        CHANGED_MEANWHILE,
        /** The name of what the request creates is in use, perhaps by others. */
        NAME_TAKEN,
        /** What the request deletes is not empty. */
        NOT_EMPTY
    }

    static ApiRequest of(String action, String method, Endpoint endpoint, String path) {
        return new ApiRequest(action, method, endpoint, path, Map.of(), Optional.empty(), Conflict.CHANGED_MEANWHILE);
    }

    ApiRequest with(String parameter, String value) {
        Map<String, String> more = new TreeMap<>(query);
        more.put(parameter, value);
        return new ApiRequest(action, method, endpoint, path, more, body, conflict);
    }

    /** Continues a list; an empty token begins it. */
    ApiRequest from(String token) {
        return token.isEmpty() ? this : with("pageToken", token);
    }

    ApiRequest with(JsonNode newBody) {
        return new ApiRequest(action, method, endpoint, path, query, Optional.of(newBody), conflict);
    }

    ApiRequest onConflict(Conflict meaning) {
        return new ApiRequest(action, method, endpoint, path, query, body, meaning);
    }

    URI uri() {
        String parameters = query.entrySet().stream()
                .map(parameter -> encode(parameter.getKey())
                        + (parameter.getValue().isEmpty() ? "" : "=" + encode(parameter.getValue())))
                .collect(Collectors.joining("&"));
        return URI.create(endpoint.uri() + path + (parameters.isEmpty() ? "" : "?" + parameters));
    }

    /** Encodes one segment of a path, or a part of a query. */
    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
