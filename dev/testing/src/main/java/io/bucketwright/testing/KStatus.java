package io.bucketwright.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * The status of a custom resource by the rules of kstatus, which Flux and other tools use to learn whether an applied object
 * works: deletion, then observedGeneration, then the conditions Reconciling, Stalled and Ready.
 */
public enum KStatus {
    IN_PROGRESS,
    FAILED,
    CURRENT,
    TERMINATING;

    private static final ObjectMapper JSON = new ObjectMapper();

    public static KStatus of(HasMetadata object) {
        JsonNode json = JSON.valueToTree(object);
        return of(json);
    }

    /** The status of an object in the JSON of the API server. */
    public static KStatus of(JsonNode object) {
        if (object.at("/metadata/deletionTimestamp").isTextual()) {
            return TERMINATING;
        }
        JsonNode generation = object.at("/metadata/generation");
        JsonNode observed = object.at("/status/observedGeneration");
        if (observed.isNumber() && generation.isNumber() && observed.asLong() != generation.asLong()) {
            return IN_PROGRESS;
        }
        if (condition(object, "Reconciling").filter("True"::equals).isPresent()) {
            return IN_PROGRESS;
        }
        if (condition(object, "Stalled").filter("True"::equals).isPresent()) {
            return FAILED;
        }
        return condition(object, "Ready")
                .map(ready -> ready.equals("True") ? CURRENT : IN_PROGRESS)
                .orElse(CURRENT);
    }

    /** A new object before any controller sees it. The API server sets the status that is the default of the schema. */
    public static ObjectNode newObject(CustomResourceDefinition definition) {
        JsonNode schema = JSON.valueToTree(definition).at("/spec/versions/0/schema/openAPIV3Schema");
        ObjectNode object = JSON.createObjectNode();
        object.putObject("metadata").put("generation", 1);
        object.set("status", schema.at("/properties/status/default"));
        return object;
    }

    private static Optional<String> condition(JsonNode object, String type) {
        return StreamSupport.stream(object.at("/status/conditions").spliterator(), false)
                .filter(condition -> condition.path("type").asText().equals(type))
                .map(condition -> condition.path("status").asText())
                .findFirst();
    }
}
