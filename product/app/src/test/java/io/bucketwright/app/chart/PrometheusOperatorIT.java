package io.bucketwright.app.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster with the kinds of the Prometheus Operator accepts what the chart and the docs have of them. */
@OnCluster
class PrometheusOperatorIT {

    private static final String GROUP = "monitoring.coreos.com/v1";
    private static final Path PAGE = Path.of("../../docs/monitoring.md");

    @TempDir
    private Path folder;

    @BeforeEach
    void installKinds(TestCluster cluster) throws Exception {
        Optional<Path> go = PrometheusOperatorKinds.go();
        assumeTrue(go.isPresent(), "the kinds come from a Go module, and this machine has no go");
        cluster.install(PrometheusOperatorKinds.download(go.orElseThrow(), folder));
    }

    @Test
    void theApiServerKnowsEveryFieldOfTheChartsObjects(TestCluster cluster) {
        List<HasMetadata> objects = monitoringObjects();

        assertThat(objects)
                .extracting(HasMetadata::getKind)
                .containsExactlyInAnyOrder("ServiceMonitor", "PrometheusRule");
        objects.forEach(object -> apply(cluster, object));
    }

    @Test
    void theServiceMonitorOfThePageIsAccepted(TestCluster cluster) throws IOException {
        Matcher block = Pattern.compile("(?s)```yaml\\n(apiVersion: " + GROUP + "\\nkind: ServiceMonitor.*?)```")
                .matcher(Files.readString(PAGE));
        assertThat(block.find()).isTrue();

        apply(cluster, Serialization.unmarshal(block.group(1), GenericKubernetesResource.class));
    }

    @Test
    void aFieldThatTheOperatorDoesNotKnowIsRejected(TestCluster cluster) {
        HasMetadata rule = monitoringObjects().stream()
                .filter(object -> object.getKind().equals("PrometheusRule"))
                .findFirst()
                .orElseThrow();
        String json = Serialization.asJson(rule);
        HasMetadata misspelt =
                Serialization.unmarshal(json.replace("\"expr\":", "\"expression\":"), GenericKubernetesResource.class);

        assertThatThrownBy(() -> apply(cluster, misspelt))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("expression");
    }

    @Test
    void theChartInstallsThemByItself(TestCluster cluster) {
        // No role: its objects and CRDs would be those of other tests, too.
        new HelmRelease(cluster, folder)
                .install(RenderedChart.CHART, ChartRole.values(EnumSet.noneOf(ChartRole.class)));
        for (String kind : List.of("ServiceMonitor", "PrometheusRule")) {
            assertThat(cluster.admin()
                            .genericKubernetesResources(GROUP, kind)
                            .inNamespace(cluster.namespace())
                            .list()
                            .getItems())
                    .as(kind)
                    .hasSize(1);
        }
    }

    private static List<HasMetadata> monitoringObjects() {
        Map<String, Object> values = new HashMap<>(ChartRole.all(Map.of()));
        values.put(
                "monitoring",
                Map.of("prometheusOperator", "always", "interval", "1m", "labels", Map.of("release", "prometheus")));
        return RenderedChart.of(values).objects().stream()
                .filter(object -> object.getApiVersion().equals(GROUP))
                .toList();
    }

    private static void apply(TestCluster cluster, HasMetadata object) {
        object.getMetadata().setNamespace(cluster.namespace());
        assertThat(cluster.admin()
                        .resource(object)
                        .fieldValidation(Validation.STRICT)
                        .serverSideApply())
                .isNotNull();
    }
}
