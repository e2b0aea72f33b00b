package io.bucketwright.app.gitops;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.bucketwright.api.Crds;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.CustomResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * The CEL expressions that docs/gitops.md gives to Flux. The API server evaluates them, with the library that Flux uses, as a
 * rule of a kind with the same status. The type check of that rule finds fields that the status does not have.
 */
@OnCluster
class FluxHealthIT {

    @Test
    void theExpressionsAreTrueForReadyObjectsOnly(TestCluster cluster) throws IOException {
        List<JsonNode> checks = checks();
        assertThat(checks.stream()
                        .map(check -> check.path("apiVersion").asText() + " "
                                + check.path("kind").asText()))
                .containsExactlyInAnyOrder(
                        "objectstorage.k8s.io/v1alpha1 BucketClaim", "objectstorage.k8s.io/v1alpha1 BucketAccess");
        for (JsonNode check : checks) {
            assertThat(Set.of("apiVersion", "kind", "current"))
                    .as("what Flux knows and this test evaluates")
                    .containsAll(check::fieldNames);
            CustomResourceDefinition rule = rule(cluster, check);
            cluster.install(List.of(rule));
            try {
                boolean claim = check.path("kind").asText().equals("BucketClaim");
                String ready = claim ? "bucketReady" : "accessGranted";
                assertThat(current(cluster, rule, "{%s: true}".formatted(ready)))
                        .isEqualTo("true");
                assertThat(current(cluster, rule, "{%s: false}".formatted(ready)))
                        .isEqualTo("false");
                // The schema requires bucketReady in the status of a claim.
                assertThat(claim ? "false" : current(cluster, rule, "{accountID: a}"))
                        .isEqualTo("false");
                assertThat(current(cluster, rule, "")).contains("no such key: status");
            } finally {
                cluster.admin().resource(rule).delete();
            }
        }
    }

    private static List<JsonNode> checks() throws IOException {
        String page = Files.readString(Path.of("../../docs/gitops.md"));
        int start = page.indexOf("```yaml\n", page.indexOf("## Flux")) + 8;
        String block = page.substring(start, page.indexOf("\n```\n", start));
        return StreamSupport.stream(
                        new YAMLMapper()
                                .readTree(block)
                                .at("/spec/healthCheckExprs")
                                .spliterator(),
                        false)
                .toList();
    }

    /** A kind whose objects have to say what the expression says about their status. Flux reads the status as a variable. */
    private static CustomResourceDefinition rule(TestCluster cluster, JsonNode check) throws IOException {
        String kind = check.path("kind").asText();
        CustomResourceDefinition real = Crds.released().stream()
                .filter(crd -> crd.getSpec().getNames().getKind().equals(kind))
                .findFirst()
                .orElseThrow();
        ObjectMapper json = new ObjectMapper();
        ObjectNode definition = (ObjectNode) new YAMLMapper()
                .readTree("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: %1$s.%2$s.example}
                spec:
                  group: %2$s.example
                  scope: Namespaced
                  names: {kind: %3$s, plural: %1$s}
                  versions:
                    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
                """.formatted(kind.toLowerCase(Locale.ROOT) + "s", cluster.namespace(), kind));
        ObjectNode schema = (ObjectNode) definition.at("/spec/versions/0/schema/openAPIV3Schema");
        schema.putArray("required").add("current");
        ObjectNode properties = schema.putObject("properties");
        properties.putObject("current").put("type", "boolean");
        properties.set(
                "status",
                json.valueToTree(real.getSpec()
                        .getVersions()
                        .getFirst()
                        .getSchema()
                        .getOpenAPIV3Schema()
                        .getProperties()
                        .get("status")));
        schema.putArray("x-kubernetes-validations")
                .addObject()
                .put(
                        "rule",
                        "self.current == (%s)"
                                .formatted(check.path("current").asText().replaceAll("\\bstatus\\b", "self.status")));
        return Serialization.unmarshal(json.writeValueAsString(definition), CustomResourceDefinition.class);
    }

    /** What the expression says about an object with that status, or why it says nothing. */
    private static String current(TestCluster cluster, CustomResourceDefinition rule, String status) {
        List<String> refusals = Stream.of("true", "false")
                .map(current -> refusal(cluster, rule, status, current))
                .toList();
        if (refusals.getFirst().isEmpty() == refusals.getLast().isEmpty()) {
            return String.join("; ", refusals);
        }
        return Boolean.toString(refusals.getFirst().isEmpty());
    }

    private static String refusal(TestCluster cluster, CustomResourceDefinition rule, String status, String current) {
        String object = "---\n{apiVersion: %s/v1, kind: %s, metadata: {name: photos}, current: %s%s}"
                .formatted(
                        rule.getSpec().getGroup(),
                        rule.getSpec().getNames().getKind(),
                        current,
                        status.isEmpty() ? "" : ", status: " + status);
        try {
            cluster.admin()
                    .genericKubernetesResources(CustomResourceDefinitionContext.fromCrd(rule))
                    .inNamespace(cluster.namespace())
                    .load(new ByteArrayInputStream(object.getBytes(UTF_8)))
                    .dryRun()
                    .create();
            return "";
        } catch (KubernetesClientException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
