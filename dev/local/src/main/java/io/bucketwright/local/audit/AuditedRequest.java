package io.bucketwright.local.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;
import java.util.Set;

/**
 * One request, as the audit log has it.
 *
 * @param verb as the API server names it: get, list, watch, create, update, patch, delete, deletecollection
 * @param resource plural, with the subresource behind a slash if there is one
 * @param namespace of the object, empty where it has none
 * @param name of the object, empty for lists
 * @param code of the answer
 */
public record AuditedRequest(String verb, String resource, String namespace, String name, int code) {

    private static final Set<String> WRITES = Set.of("create", "update", "patch", "delete", "deletecollection");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Parses a line of the log. */
    public static AuditedRequest parse(String line) {
        try {
            return of(JSON.readTree(line));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("A line of the audit log is not valid JSON", e);
        }
    }

    /** The request of a parsed line. */
    public static AuditedRequest of(JsonNode entry) {
        JsonNode object = entry.path("objectRef");
        String subresource = object.path("subresource").asText();
        return new AuditedRequest(
                entry.path("verb").asText(),
                object.path("resource").asText() + (subresource.isEmpty() ? "" : "/" + subresource),
                object.path("namespace").asText(),
                object.path("name").asText(),
                entry.at("/responseStatus/code").asInt());
    }

    public boolean isWrite() {
        return WRITES.contains(verb);
    }

    public boolean isEvent() {
        return resource.equals("events");
    }

    /** Leases are renewed by the clock, so their number says nothing about work. */
    public boolean isLease() {
        return resource.equals("leases");
    }
}
