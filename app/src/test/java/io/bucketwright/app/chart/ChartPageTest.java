package io.bucketwright.app.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import io.bucketwright.app.docs.GeneratedPage;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are generated from the chart: the tables of its README, and the manifests for those without Helm. */
class ChartPageTest {

    private static final GeneratedPage README = new GeneratedPage(RenderedChart.CHART.resolve("README.md"));
    private static final GeneratedPage MANIFESTS = new GeneratedPage(Path.of("../deploy/install.yaml"));

    private static final String HEAD = """
            # The Helm chart with its default values, for those without Helm:
            #
            #   kubectl apply --server-side --field-manager bucketwright -f deploy/install.yaml
            #
            # Generated; for other roles or values, use the chart: deploy/helm/bucketwright.
            apiVersion: v1
            kind: Namespace
            metadata:
              name: bucketwright
            """;

    private final ChartValues values = ChartValues.read();

    @Test
    void theReadmeHasEveryValue() {
        README.assertSection(
                "values",
                GeneratedPage.table(
                        List.of("value", "default", "meaning"),
                        values.leaves().stream()
                                .map(value ->
                                        List.of("`" + value.path() + "`", "`" + value.text() + "`", value.comment()))));
    }

    @Test
    void theReadmeHasTheEntriesOfLists() {
        values.examples().forEach((key, yaml) -> README.assertSection(key, "```yaml\n" + yaml + "```\n"));
    }

    @Test
    void theManifestsAreThoseOfTheChart() {
        MANIFESTS.assertText(HEAD + RenderedChart.of(Map.of()).manifest().stripTrailing() + "\n");
    }

    /** The demo has no Helm: it has the manifests, and replaces some words in them. */
    @ParameterizedTest
    @ValueSource(strings = {"buckets", "cosi", "cosi.io", "volumes"})
    void theManifestsOfTheDemoAreThoseOfTheChart(String part) throws IOException {
        Path folder = Path.of("src/main/resources/io/bucketwright/app/demo/chart");
        Map<String, Object> all = new HashMap<>();
        for (String file : List.of("node", part)) {
            Map<String, Object> values = Serialization.unmarshal(
                    Files.readString(folder.resolve(file + "-values.yaml")), new TypeReference<>() {});
            values.forEach(
                    (key, value) -> assertThat(all.put(key, value)).as(key).isNull());
        }
        new GeneratedPage(folder.resolve(part + ".yaml"))
                .assertText("# Generated: the Helm chart with node-values.yaml and " + part + "-values.yaml.\n"
                        + RenderedChart.of(all).manifest().stripTrailing() + "\n");
    }

    @Test
    void theVersionOfTheApplicationIsThatOfTheProject() throws IOException {
        Matcher project = Pattern.compile("<artifactId>bucketwright-parent</artifactId>\\s*<version>(.+?)</version>")
                .matcher(Files.readString(Path.of("../pom.xml")));
        assertThat(project.find()).isTrue();
        assertThat(Files.readString(RenderedChart.CHART.resolve("Chart.yaml")))
                .contains("\nappVersion: " + project.group(1) + "\n")
                .contains("\nversion: " + project.group(1).replace("-SNAPSHOT", "") + "\n");
    }
}
