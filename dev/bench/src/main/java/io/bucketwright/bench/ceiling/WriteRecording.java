package io.bucketwright.bench.ceiling;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.local.audit.AuditedRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Turns lines of the audit log about one sample object into templates. The lines have bodies, because their user is in the
 * group of recorded users.
 */
public final class WriteRecording {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern VERSION_FIELD = Pattern.compile("\"resourceVersion\":\"\\d+\"");

    private final String sample;
    private final List<String> uids = new ArrayList<>();
    private final Map<String, String> versions = new HashMap<>();

    /**
     * @param sample name of the sample object
     * @param created objects that the bench created for it, in this order
     */
    public WriteRecording(String sample, List<CreatedObject> created) {
        this.sample = sample;
        created.forEach(object -> learn(object.path(), object.uid(), object.version()));
    }

    /** The successful writes in these lines, without events and Leases. Later calls know the objects of earlier ones. */
    public List<WriteTemplate> templates(List<String> lines) {
        List<WriteTemplate> templates = new ArrayList<>();
        for (String line : lines) {
            JsonNode entry = parse(line);
            AuditedRequest request = AuditedRequest.of(entry);
            if (request.isWrite() && !request.isEvent() && !request.isLease() && request.code() < 300) {
                templates.add(template(entry, request));
            }
        }
        return templates;
    }

    private WriteTemplate template(JsonNode entry, AuditedRequest request) {
        if (entry.path("requestObject").isMissingNode() && !request.verb().equals("delete")) {
            throw new CommandException(
                    "The audit log of this cluster does not contain the bodies of requests, because the"
                            + " cluster was started by an earlier release. Restart it: `bucketwright local down` and `up`.");
        }
        String uri = entry.path("requestURI").asText();
        String path = uri.split("\\?", 2)[0];
        String subresource = entry.at("/objectRef/subresource").asText();
        JsonNode response = entry.path("responseObject").path("metadata");
        String object = path;
        if (!subresource.isEmpty()) {
            object = path.substring(0, path.length() - subresource.length() - 1);
        } else if (request.verb().equals("create")) {
            object = path + "/" + response.path("name").asText();
        }
        String contentType = contentType(request.verb(), uri, entry.path("requestObject"));
        String body = body(entry, request, object);
        if (!response.path("resourceVersion").asText().isEmpty()) {
            learn(
                    object,
                    response.path("uid").asText(),
                    response.path("resourceVersion").asText());
        }
        return new WriteTemplate(method(request.verb()), general(uri), contentType, general(body), general(object));
    }

    private String body(JsonNode entry, AuditedRequest request, String object) {
        JsonNode body = entry.path("requestObject");
        if (body.isMissingNode()) {
            return "";
        }
        if (request.verb().equals("delete")) {
            ((ObjectNode) body).put("apiVersion", "v1").put("kind", "DeleteOptions");
        }
        String text = VERSION_FIELD
                .matcher(body.toString())
                .replaceAll("\"resourceVersion\":\"" + WriteTemplate.VERSION + "\"");
        String known = versions.getOrDefault(object, "");
        return known.isEmpty() ? text : text.replace("\"" + known + "\"", "\"" + WriteTemplate.VERSION + "\"");
    }

    private void learn(String object, String uid, String version) {
        if (!uids.contains(uid)) {
            uids.add(uid);
        }
        versions.put(object, version);
    }

    private String general(String text) {
        String general = text.replace(sample, WriteTemplate.NAME);
        for (int i = 0; i < uids.size(); i++) {
            general = general.replace(uids.get(i), WriteTemplate.uid(i));
        }
        return general;
    }

    private static String method(String verb) {
        return switch (verb) {
            case "create" -> "POST";
            case "update" -> "PUT";
            case "patch" -> "PATCH";
            default -> "DELETE";
        };
    }

    /** The log does not contain the type of a patch; its form tells it. */
    private static String contentType(String verb, String uri, JsonNode body) {
        if (!verb.equals("patch")) {
            return "application/json";
        }
        if (body.isArray()) {
            return "application/json-patch+json";
        }
        return uri.contains("force=") ? "application/apply-patch+yaml" : "application/merge-patch+json";
    }

    private static JsonNode parse(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new CommandException("A line of the audit log is not valid JSON.", e);
        }
    }
}
