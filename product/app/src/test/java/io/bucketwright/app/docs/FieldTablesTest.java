package io.bucketwright.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.api.Crds;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/reference/fields.md has every field of the kinds that people write, with its default and its limit. */
class FieldTablesTest {

    private static final Path PAGE = Path.of("../../docs/reference/fields.md");
    private static final List<String> NO_FIELDS = List.of("apiVersion", "kind", "metadata", "status", "spec");
    private static final long SHORT = 63;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ObjectBucketClaim",
                "BucketRequest",
                "BucketAccessRequest",
                "BucketClass",
                "BucketAccessClass",
                "Bucket"
            })
    void theTableHasTheFieldsOfTheDefinition(String kind) throws IOException {
        Map<String, JSONSchemaProps> fields = fields(kind);
        Map<String, String> rows = rows(kind);
        assertThat(rows).containsOnlyKeys(fields.keySet());
        fields.forEach((name, field) -> {
            JsonNode value = field.getDefault();
            if (value != null) {
                assertThat(rows.get(name)).as(name).contains("| `" + value.asText() + "` |");
            }
            if (field.getMaxLength() != null && field.getMaxLength() < SHORT) {
                assertThat(rows.get(name)).as(name).contains("at most " + field.getMaxLength());
            }
        });
    }

    /** Those of spec, or the top-level ones of a kind without spec. */
    private static Map<String, JSONSchemaProps> fields(String kind) {
        CustomResourceDefinition definition = Stream.of(Crds.objectBuckets(), Crds.cosi())
                .flatMap(List::stream)
                .filter(found -> found.getSpec().getNames().getKind().equals(kind))
                .findFirst()
                .orElseThrow();
        Map<String, JSONSchemaProps> all = definition
                .getSpec()
                .getVersions()
                .getFirst()
                .getSchema()
                .getOpenAPIV3Schema()
                .getProperties();
        JSONSchemaProps spec = all.get("spec");
        Map<String, JSONSchemaProps> fields = new HashMap<>(spec == null ? all : spec.getProperties());
        fields.keySet().removeAll(NO_FIELDS);
        return fields;
    }

    private static Map<String, String> rows(String kind) throws IOException {
        Map<String, String> rows = new TreeMap<>();
        String page = Files.readString(PAGE);
        String section = page.substring(page.indexOf("\n## " + kind + "\n") + 1).split("\n## ", 2)[0];
        section.lines()
                .filter(line -> line.startsWith("| `"))
                .forEach(line -> rows.put(line.substring(3, line.indexOf('`', 3)), line));
        return rows;
    }
}
