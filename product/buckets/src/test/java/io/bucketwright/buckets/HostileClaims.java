package io.bucketwright.buckets;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Claims in every shape that the schemas of other projects admit. */
final class HostileClaims {

    private static final String LONG = "x".repeat(100_000);

    private HostileClaims() {}

    /** Creates claims with fields that are absent, empty, null, huge or, if the schema of Rook is installed, of another type. */
    static void create(BucketFixture bench, String storageClass, String owner) {
        Map<String, String> shapes = new HashMap<>();
        shapes.put("no-spec", "{}");
        shapes.put("null-spec", "{spec: null}");
        shapes.put("no-name", "{spec: {storageClassName: " + storageClass + "}}");
        shapes.put(
                "empty-names",
                "{spec: {storageClassName: " + storageClass + ", bucketName: '', additionalConfig: {}}}");
        shapes.put("long-name", "{spec: {storageClassName: " + storageClass + ", bucketName: " + LONG + "}}");
        shapes.put("long-class", "{spec: {storageClassName: " + LONG + ", generateBucketName: a}}");
        shapes.put(
                "long-option",
                "{spec: {storageClassName: " + storageClass + ", generateBucketName: a, additionalConfig: {maxSize: "
                        + LONG + "}}}");
        shapes.put(
                "wrong-name", "{spec: {storageClassName: " + storageClass + ", bucketName: \"\\u0000\\u202e../..\"}}");
        if (owner.equals("rook")) {
            shapes.put("empty-spec", "{spec: {}}");
            shapes.put(
                    "any-options",
                    "{spec: {storageClassName: " + storageClass
                            + ", generateBucketName: a, additionalConfig: {a: [1], b: {c: null}, d: null, e: 1.5}}}");
            shapes.put(
                    "null-options",
                    "{spec: {storageClassName: " + storageClass
                            + ", generateBucketName: 'A b', additionalConfig: null}}");
        }
        shapes.forEach((name, shape) -> createRaw(bench, name, shape));
        if (owner.equals("rook")) {
            List<String> statuses = List.of(
                    "{phase: {a: 1}}",
                    "{phase: [Bound]}",
                    "{conditions: text}",
                    "{conditions: [text, null, {type: [1]}]}",
                    "{conditions: {a: 1}, observedGeneration: text}",
                    "{observedGeneration: {a: 1}}");
            for (int i = 0; i < statuses.size(); i++) {
                String name = "status-" + i;
                createRaw(bench, name, "{spec: {storageClassName: " + storageClass + "}}");
                GenericKubernetesResource claim = raw(bench, name, "{status: " + statuses.get(i) + "}");
                bench.admin().resource(claim).subresource("status").patch();
            }
        }
    }

    private static void createRaw(BucketFixture bench, String name, String shape) {
        bench.remember(name);
        bench.admin().resource(raw(bench, name, shape)).create();
    }

    private static GenericKubernetesResource raw(BucketFixture bench, String name, String shape) {
        String header = "apiVersion: objectbucket.io/v1alpha1\nkind: ObjectBucketClaim\nmetadata: {namespace: "
                + bench.namespace() + ", name: " + name + "}\n";
        GenericKubernetesResource claim = Serialization.unmarshal(header, GenericKubernetesResource.class);
        Map<?, ?> fields = (Map<?, ?>) Objects.requireNonNull(
                Serialization.unmarshal("shape: " + shape, Map.class).get("shape"));
        Stream.of("spec", "status")
                .filter(fields::containsKey)
                .forEach(field -> claim.setAdditionalProperty(field, fields.get(field)));
        return claim;
    }
}
