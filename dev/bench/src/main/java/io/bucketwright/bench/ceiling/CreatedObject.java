package io.bucketwright.bench.ceiling;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An object that the bench created or changed.
 *
 * @param path of the object on the API server
 */
public record CreatedObject(String path, String uid, String version) {

    /**
     * The object in a response.
     *
     * @param collection path of all objects of the kind in the namespace
     */
    public static CreatedObject of(String collection, JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return new CreatedObject(
                collection + "/" + metadata.path("name").asText(),
                metadata.path("uid").asText(),
                metadata.path("resourceVersion").asText());
    }
}
