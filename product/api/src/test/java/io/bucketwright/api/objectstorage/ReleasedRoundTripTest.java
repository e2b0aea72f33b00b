package io.bucketwright.api.objectstorage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A sidecar may not patch: it replaces an object by what it read, and what the object would lose is a change of the spec. */
class ReleasedRoundTripTest {

    /** The fields of the spec of each kind that is replaced: those that are required, and others with an unknown one. */
    static Stream<Arguments> kinds() {
        return Stream.of(
                Arguments.of(BucketClaim.class, "{\"protocols\": [\"S3\"]}", """
                        {"bucketClassName": "gold", "existingBucketName": "b", "later": {"a": [1]}}"""),
                Arguments.of(ReleasedBucketAccess.class, """
                        {"bucketClaimName": "c", "bucketAccessClassName": "k", "credentialsSecretName": "s"}""", """
                        {"protocol": "S3", "serviceAccountName": "a", "later": true}"""),
                Arguments.of(ReleasedBucket.class, """
                        {"driverName": "d", "bucketClassName": "gold", "protocols": ["S3"],
                         "bucketClaim": {"name": "c", "namespace": "n", "uid": "u"}}""", """
                        {"parameters": {"tier": ""}, "deletionPolicy": "Delete", "existingBucketID": "id", "later": ""}
                        """));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void anObjectIsWrittenAsItWasRead(Class<? extends CustomResource<?, ?>> kind, String required, String optional) {
        List<ObjectNode> specs = List.of(JsonNodeFactory.instance.objectNode());
        for (Map.Entry<String, JsonNode> field : tree(required).properties()) {
            specs = specs.stream().flatMap(spec -> given(spec, field)).toList();
        }
        for (Map.Entry<String, JsonNode> field : tree(optional).properties()) {
            specs = specs.stream()
                    .flatMap(spec -> Stream.concat(Stream.of(spec), given(spec, field)))
                    .toList();
        }
        assertThat(specs).hasSizeGreaterThanOrEqualTo(54);
        for (ObjectNode spec : specs) {
            ObjectNode object = tree("{\"metadata\": {\"name\": \"x\"}}");
            object.put("apiVersion", ReleasedNames.GROUP + "/" + ReleasedNames.VERSION)
                    .put("kind", HasMetadata.getKind(kind))
                    .set("spec", spec);
            CustomResource<?, ?> read = Serialization.unmarshal(object.toString(), kind);
            assertThat(tree(Serialization.asJson(read))).isEqualTo(object);
        }
    }

    /** The field as given, and empty. */
    private static Stream<ObjectNode> given(ObjectNode spec, Map.Entry<String, JsonNode> field) {
        return Stream.of(
                with(spec, field.getKey(), field.getValue()), with(spec, field.getKey(), emptyLike(field.getValue())));
    }

    private static ObjectNode tree(String json) {
        return Serialization.unmarshal(json, ObjectNode.class);
    }

    private static ObjectNode with(ObjectNode before, String field, JsonNode value) {
        ObjectNode copy = before.deepCopy();
        copy.set(field, value);
        return copy;
    }

    private static JsonNode emptyLike(JsonNode value) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        return value.isTextual()
                ? nodes.textNode("")
                : value.isArray()
                        ? nodes.arrayNode()
                        : value.isObject() ? nodes.objectNode() : nodes.booleanNode(false);
    }

    @Test
    void whatAControllerCreatesHasNoEmptyFields() {
        assertThat(Serialization.asJson(new BucketClaimSpec("gold", List.of("S3"), "")))
                .doesNotContain("existingBucketName");
        assertThat(Serialization.asJson(new ReleasedAccessSpec("c", "", "k", "s", "")))
                .doesNotContain("protocol", "serviceAccountName");
        assertThat(Serialization.asJson(ReleasedBucketSpec.NONE))
                .doesNotContain("parameters", "deletionPolicy", "existingBucketID");
    }
}
