package io.bucketwright.testing.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A response of the server.
 *
 * @param body each character is a byte
 */
public record GcsResponse(int status, String contentType, String body, Map<String, String> headers) {

    private static final Pattern FIELD = Pattern.compile("([A-Za-z]+)(?:\\(([A-Za-z,]+)\\))?(?:,|$)");

    static GcsResponse empty() {
        return new GcsResponse(204, "text/html", "", Map.of());
    }

    static GcsResponse json(JsonNode json) {
        return new GcsResponse(200, "application/json; charset=UTF-8", bytes(json.toString()), Map.of());
    }

    static GcsResponse xml(int status, String xml) {
        return new GcsResponse(
                status,
                "application/xml; charset=UTF-8",
                bytes("<?xml version='1.0' encoding='UTF-8'?>" + xml),
                Map.of());
    }

    static GcsResponse data(String data) {
        return new GcsResponse(200, "application/octet-stream", data, Map.of());
    }

    /** Any response, for failures that tests cause. */
    public static GcsResponse of(int status, String contentType, String body, Map<String, String> headers) {
        return new GcsResponse(status, contentType, bytes(body), headers);
    }

    /** An error of the JSON API. */
    static GcsResponse error(GcsProblem problem) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        ObjectNode error = root.putObject("error");
        error.put("code", problem.status()).put("message", problem.getMessage());
        error.putArray("errors")
                .addObject()
                .put("domain", "global")
                .put("reason", problem.reason())
                .put("message", problem.getMessage());
        return json(root).withStatus(problem.status());
    }

    GcsResponse withStatus(int newStatus) {
        return new GcsResponse(newStatus, contentType, body, headers);
    }

    /** A partial response: only what the parameter {@code fields} names. */
    static GcsResponse json(GcsRequest request, ObjectNode json) {
        String fields = request.text("fields");
        if (fields.isEmpty()) {
            return json(json);
        }
        ObjectNode part = JsonNodeFactory.instance.objectNode();
        Matcher field = FIELD.matcher(fields);
        int end = 0;
        while (field.find() && field.start() == end && field.end() > field.start()) {
            end = field.end();
            JsonNode value = json.get(field.group(1));
            if (value != null) {
                part.set(field.group(1), field.group(2) == null ? value : items(value, field.group(2)));
            }
        }
        if (end != fields.length()) {
            throw new GcsProblem(400, "invalidParameter", "Invalid field selection " + fields);
        }
        return json(part);
    }

    private static ArrayNode items(JsonNode list, String fields) {
        ArrayNode items = JsonNodeFactory.instance.arrayNode();
        for (JsonNode item : list) {
            ObjectNode part = items.addObject();
            for (String field : fields.split(",", -1)) {
                if (item.has(field)) {
                    part.set(field, item.get(field));
                }
            }
        }
        return items;
    }

    private static String bytes(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
