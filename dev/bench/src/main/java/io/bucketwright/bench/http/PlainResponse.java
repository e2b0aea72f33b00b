package io.bucketwright.bench.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/**
 * A response of the API server.
 *
 * @param request method and path, for messages
 */
public record PlainResponse(String request, int code, String body) {

    private static final ObjectMapper JSON = new ObjectMapper();

    public boolean isSuccess() {
        return code >= 200 && code < 300;
    }

    /** This response, if the request succeeded. */
    public PlainResponse require() throws IOException {
        if (!isSuccess()) {
            throw new IOException(request + " was answered with " + code + ": " + message());
        }
        return this;
    }

    /** The body as JSON. */
    public JsonNode json() throws IOException {
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException e) {
            throw new IOException("The API server sent invalid JSON: " + e.getOriginalMessage(), e);
        }
    }

    /** The message of a Status. The body of another object is not shown: it can be a Secret. */
    private String message() throws IOException {
        return body.startsWith("{") ? json().path("message").asText() : "no message";
    }
}
