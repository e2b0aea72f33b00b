package io.bucketwright.testing.gcs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A request to the server.
 *
 * @param rawPath the path as it was sent
 * @param path the decoded segments of the path
 * @param headers the first value of each
 * @param body each character is a byte
 */
record GcsRequest(
        String method,
        String rawPath,
        List<String> path,
        Map<String, String> query,
        Map<String, String> headers,
        String body) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    static GcsRequest of(HttpExchange exchange) throws IOException {
        String raw = exchange.getRequestURI().getRawPath();
        Map<String, String> query = new TreeMap<>();
        String rawQuery = exchange.getRequestURI().getRawQuery();
        if (rawQuery != null && !rawQuery.isEmpty()) {
            for (String pair : rawQuery.split("&", -1)) {
                int equals = pair.indexOf('=');
                query.put(
                        decode(equals < 0 ? pair : pair.substring(0, equals)),
                        equals < 0 ? "" : decode(pair.substring(equals + 1)));
            }
        }
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
        List<String> path = Arrays.stream(raw.substring(1).split("/", -1))
                .map(GcsRequest::decode)
                .toList();
        return new GcsRequest(
                exchange.getRequestMethod(),
                raw,
                path,
                query,
                headers,
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    byte[] bytes() {
        return body.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** This request without the first segment of its path. */
    GcsRequest withoutFirst() {
        return new GcsRequest(method, rawPath, path.subList(1, path.size()), query, headers, body);
    }

    boolean is(String wanted, int segments) {
        return method.equals(wanted) && path.size() == segments;
    }

    String header(String name) {
        return headers.getOrDefault(name, "");
    }

    String text(String parameter) {
        return query.getOrDefault(parameter, "");
    }

    /** A required parameter. */
    String require(String parameter) {
        if (text(parameter).isEmpty()) {
            throw new GcsProblem(400, "required", "Required parameter: " + parameter);
        }
        return text(parameter);
    }

    Optional<Integer> number(String parameter) {
        try {
            return Optional.ofNullable(query.get(parameter)).map(Integer::parseInt);
        } catch (NumberFormatException e) {
            throw GcsProblem.invalid("Invalid value for " + parameter);
        }
    }

    /** Rejects all other parameters, except those that every method has. */
    GcsRequest only(String... parameters) {
        Set<String> unknown = new TreeSet<>(query.keySet());
        unknown.removeAll(Set.of(parameters));
        unknown.removeAll(Set.of("fields", "alt", "prettyPrint"));
        if (!unknown.isEmpty()) {
            throw new GcsProblem(400, "invalidParameter", "Unknown parameters: " + unknown);
        }
        return this;
    }

    /** The body, which must be a JSON object with no other fields. */
    JsonNode json(String... fields) {
        if (!header("Content-Type").startsWith("application/json")) {
            throw new GcsProblem(400, "badContent", "Unsupported content with type: " + header("Content-Type"));
        }
        try {
            JsonNode json = JSON.readTree(bytes());
            checkFields(json, fields);
            return json;
        } catch (JsonProcessingException e) {
            throw new GcsProblem(400, "parseError", "Parse Error");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static void checkFields(JsonNode json, String... fields) {
        if (!json.isObject()) {
            throw GcsProblem.invalid("Expected an object.");
        }
        Set<String> unknown = new TreeSet<>();
        json.fieldNames().forEachRemaining(unknown::add);
        unknown.removeAll(Set.of(fields));
        if (!unknown.isEmpty()) {
            throw GcsProblem.invalid("Invalid JSON payload received. Unknown name: " + unknown);
        }
    }
}
