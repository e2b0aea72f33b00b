package io.bucketwright.app.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.docs.GeneratedPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Files that are generated from the chart: the tables of its README, and the manifests for those without Helm. */
class ChartPageTest {

    private static final GeneratedPage README = new GeneratedPage(RenderedChart.CHART.resolve("README.md"));
    private static final GeneratedPage MANIFESTS = new GeneratedPage(Path.of("../../deploy/install.yaml"));

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

    @Test
    void theVersionOfTheApplicationIsThatOfTheProject() throws IOException {
        Matcher project = Pattern.compile("<artifactId>bucketwright-parent</artifactId>\\s*<version>(.+?)</version>")
                .matcher(Files.readString(Path.of("../../pom.xml")));
        assertThat(project.find()).isTrue();
        assertThat(Files.readString(RenderedChart.CHART.resolve("Chart.yaml")))
                .contains("\nappVersion: " + project.group(1) + "\n")
                .contains("\nversion: " + project.group(1).replace("-SNAPSHOT", "") + "\n");
    }
}
