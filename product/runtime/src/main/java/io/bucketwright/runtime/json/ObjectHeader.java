package io.bucketwright.runtime.json;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Which object it is, and in which version, read from its JSON without decoding it. What is not there is empty.
 *
 * @param namespace empty for cluster-scoped kinds
 */
public record ObjectHeader(String kind, String namespace, String name, String uid, String version) {

    /** Of an object that a parser has read. */
    static ObjectHeader of(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return new ObjectHeader(
                object.path("kind").asText(""),
                metadata.path("namespace").asText(""),
                metadata.path("name").asText(""),
                metadata.path("uid").asText(""),
                metadata.path("resourceVersion").asText(""));
    }

    /** Whether it names an object in a version. */
    public boolean isComplete() {
        return !name.isEmpty() && !uid.isEmpty() && !version.isEmpty();
    }
}
