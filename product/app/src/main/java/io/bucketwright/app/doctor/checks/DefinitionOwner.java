package io.bucketwright.app.doctor.checks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Who made an installed CustomResourceDefinition. */
enum DefinitionOwner {
    /** This version of Bucketwright. */
    THIS_VERSION("this version of Bucketwright"),
    OTHER_VERSION("another version of Bucketwright"),
    ROOK("Rook"),
    NOOBAA("NooBaa"),
    REFERENCE("Kubernetes SIG Storage, the vendor of a driver, or another version of Bucketwright"),
    UNKNOWN("another project");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PROPERTIES = "/properties/";

    /** A field of the schema that only Bucketwright has. */
    private static final List<String> OWN_FIELDS = List.of(
            "/properties/spec/properties/intent",
            "/properties/spec/properties/bucketRequest",
            "/properties/spec/properties/bucketRequestName",
            "/properties/additionalPermittedNamespaces",
            "/properties/policyActions");

    private final String text;

    DefinitionOwner(String text) {
        this.text = text;
    }

    /**
     * The owner of a definition.
     *
     * @param own the definition of this version
     */
    static DefinitionOwner of(CustomResourceDefinition installed, CustomResourceDefinition own) {
        JsonNode schema = schema(installed);
        if (schema.equals(schema(own))) {
            return THIS_VERSION;
        }
        if (installed.getSpec().getGroup().equals(ReleasedNames.GROUP)) {
            return REFERENCE;
        }
        boolean isOwn = schema.at("/properties/status/properties/observedGeneration")
                        .isObject()
                || OWN_FIELDS.stream().anyMatch(field -> schema.at(field).isObject());
        return isOwn ? OTHER_VERSION : byMetadata(installed).orElseGet(() -> byShape(installed, schema));
    }

    /** Whether the API server stores conditions, or drops them. */
    static boolean keepsConditions(CustomResourceDefinition installed) {
        JsonNode status = schema(installed).at(PROPERTIES + "status");
        return status.at(PROPERTIES + "conditions").isObject()
                || status.path("x-kubernetes-preserve-unknown-fields").asBoolean();
    }

    /** Charts of both projects name themselves in labels or annotations. */
    private static Optional<DefinitionOwner> byMetadata(CustomResourceDefinition installed) {
        String names = Stream.of(Metadata.labels(installed), Metadata.annotations(installed))
                .flatMap(map -> map.values().stream())
                .reduce("", (all, one) -> all + " " + one)
                .toLowerCase(Locale.ROOT);
        return names.contains("noobaa")
                ? Optional.of(NOOBAA)
                : names.contains("rook") ? Optional.of(ROOK) : Optional.empty();
    }

    /** Rook's schema of ObjectBuckets keeps what claimRef contains, NooBaa's drops it. */
    private static DefinitionOwner byShape(CustomResourceDefinition installed, JsonNode schema) {
        if (!installed.getSpec().getGroup().equals(ObjectBucketNames.GROUP)) {
            return UNKNOWN;
        }
        JsonNode claim = schema.at("/properties/spec/properties/claimRef");
        if (claim.isMissingNode()) {
            return UNKNOWN;
        }
        return claim.path("x-kubernetes-preserve-unknown-fields").asBoolean() ? ROOK : NOOBAA;
    }

    /** The schema of the version that Bucketwright uses, without descriptions. */
    private static JsonNode schema(CustomResourceDefinition definition) {
        return version(definition)
                .map(version ->
                        withoutDescriptions(JSON.valueToTree(version.getSchema().getOpenAPIV3Schema())))
                .orElse(JSON.createObjectNode());
    }

    static Optional<CustomResourceDefinitionVersion> version(CustomResourceDefinition definition) {
        return definition.getSpec().getVersions().stream()
                .filter(version -> version.getName().equals(ObjectBucketNames.VERSION))
                .filter(version ->
                        version.getSchema() != null && version.getSchema().getOpenAPIV3Schema() != null)
                .findFirst();
    }

    private static JsonNode withoutDescriptions(JsonNode schema) {
        if (schema instanceof ObjectNode object) {
            if (object.path("description").isTextual()) {
                object.remove("description");
            }
            object.forEach(DefinitionOwner::withoutDescriptions);
        } else {
            schema.forEach(DefinitionOwner::withoutDescriptions);
        }
        return schema;
    }

    @Override
    public String toString() {
        return text;
    }
}
