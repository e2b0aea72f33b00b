package io.bucketwright.devtools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import io.bucketwright.app.chart.RenderedChart;
import io.bucketwright.app.docs.GeneratedPage;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The manifests of the demo are generated from the chart. */
class DemoChartPageTest {

    /** The demo has no Helm: it has the manifests, and replaces some words in them. */
    @ParameterizedTest
    @ValueSource(strings = {"buckets", "cosi", "cosi.io", "volumes"})
    void theManifestsOfTheDemoAreThoseOfTheChart(String part) throws IOException {
        Path folder = Path.of("src/main/resources/io/bucketwright/devtools/demo/chart");
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
}
