package io.bucketwright.app.gitops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.bucketwright.testing.KStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.lib.jse.JsePlatform;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The health script of docs/gitops.md, run by a Lua interpreter, shows what kstatus shows. */
class ArgoHealthTest {

    private static final String READY =
            "phase: Bound, observedGeneration: 3, conditions: [{type: Ready, status: 'True', message: m}]";

    private static final String RELEASED = "objectstorage.k8s.io";

    private Map<String, String> scripts = Map.of();

    @BeforeEach
    void read() throws IOException {
        String page = Files.readString(Path.of("../../docs/gitops.md"));
        int start = page.indexOf("```yaml\n", page.indexOf("## Argo CD")) + 8;
        String block = page.substring(start, page.indexOf("\n```\n", start));
        String customizations = new YAMLMapper()
                .readTree(block)
                .at("/data/resource.customizations")
                .asText();
        // The YAML parser of Argo CD resolves anchors, that of Jackson does not.
        Map<String, Map<String, String>> kinds =
                new Yaml(new SafeConstructor(new LoaderOptions())).load(customizations);
        scripts = Stream.of("objectbucket.io", "cosi.io", RELEASED)
                .collect(Collectors.toMap(
                        group -> group,
                        group -> String.valueOf(
                                kinds.getOrDefault(group + "/*", Map.of()).get("health.lua"))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{phase: Pending, observedGeneration: 0} | Progressing",
                "{" + READY + "} | Healthy",
                "{phase: Bound, observedGeneration: 2, conditions: [{type: Ready, status: 'True', message: m}]} | Progressing",
                "{phase: Pending, observedGeneration: 3, conditions: [{type: Ready, status: 'False', message: m}]} | Progressing",
                "{phase: Failed, observedGeneration: 3, conditions: [{type: Stalled, status: 'True', message: m}, {type: Ready, status: 'False', message: m}]} | Degraded",
                "{phase: ErrBucketClassNotFound, observedGeneration: 3, conditions: [{type: Ready, status: 'False', message: m}]} | Progressing"
            })
    void theScriptAgreesWithKstatus(String status, String expected) throws JsonProcessingException {
        JsonNode object = object("{metadata: {generation: 3}, spec: {}, status: " + status + "}");
        for (String group : List.of("objectbucket.io", "cosi.io")) {
            assertThat(health(group, object)).as(group).isEqualTo(expected);
        }
        assertThat(
                        switch (KStatus.of(object)) {
                            case IN_PROGRESS, TERMINATING -> "Progressing";
                            case FAILED -> "Degraded";
                            case CURRENT -> "Healthy";
                        })
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"Bound, Healthy", "bound, Healthy", "Failed, Degraded", "Pending, Progressing", "Released, Progressing"
    })
    void withoutConditionsThePhaseDecides(String phase, String expected) throws JsonProcessingException {
        assertThat(health("objectbucket.io", object("{metadata: {}, spec: {}, status: {phase: " + phase + "}}")))
                .isEqualTo(expected);
    }

    @Test
    void deletionComesFirstAndClassesAreHealthy() throws JsonProcessingException {
        assertThat(health(
                        "objectbucket.io",
                        object(
                                "{metadata: {generation: 3, deletionTimestamp: '2026-11-17T12:00:00Z'}, spec: {}, status: {"
                                        + READY + "}}")))
                .isEqualTo("Progressing");
        assertThat(health("cosi.io", object("{metadata: {generation: 1}, provisioner: a/b, protocol: s3}")))
                .as("a BucketClass")
                .isEqualTo("Healthy");
        assertThat(health("cosi.io", object("{metadata: {generation: 1}, spec: {}}")))
                .isEqualTo("Progressing");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{metadata: {generation: 1}, spec: {bucketClassName: a}} | Progressing",
                "{metadata: {generation: 1}, spec: {bucketClassName: a}, status: {bucketName: b, bucketReady: false}} | Progressing",
                "{metadata: {generation: 1}, spec: {bucketClassName: a}, status: {bucketName: b, bucketReady: true}} | Healthy",
                "{metadata: {generation: 1, deletionTimestamp: '2026-11-17T12:00:00Z'}, spec: {}, status: {bucketReady: true}} | Progressing",
                "{metadata: {generation: 1}, spec: {bucketClaimName: a}, status: {accessGranted: false}} | Progressing",
                "{metadata: {generation: 1}, spec: {bucketClaimName: a}, status: {accessGranted: true, accountID: b}} | Healthy",
                "{metadata: {generation: 1}, driverName: a, deletionPolicy: Retain} | Healthy"
            })
    void releasedKindsAreHealthyWhenTheyAreReady(String object, String expected) throws JsonProcessingException {
        assertThat(health(RELEASED, object(object))).isEqualTo(expected);
    }

    private static JsonNode object(String yaml) throws JsonProcessingException {
        return new ObjectMapper().valueToTree(new YAMLMapper().readTree(yaml));
    }

    private String health(String group, JsonNode object) {
        Globals lua = JsePlatform.standardGlobals();
        lua.set("obj", value(object));
        return lua.load(scripts.getOrDefault(group, "")).call().get("status").tojstring();
    }

    private static LuaValue value(JsonNode node) {
        if (node.isObject()) {
            LuaTable table = new LuaTable();
            node.properties().forEach(field -> table.set(field.getKey(), value(field.getValue())));
            return table;
        }
        if (node.isArray()) {
            LuaTable table = new LuaTable();
            for (int index = 0; index < node.size(); index++) {
                table.set(index + 1, value(node.get(index)));
            }
            return table;
        }
        if (node.isNumber()) {
            return LuaValue.valueOf(node.asInt());
        }
        if (node.isBoolean()) {
            return LuaValue.valueOf(node.asBoolean());
        }
        return LuaValue.valueOf(node.asText());
    }
}
