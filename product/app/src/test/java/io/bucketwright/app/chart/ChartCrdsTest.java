package io.bucketwright.app.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The CRDs of the chart are the generated ones, of the roles that are on, and survive an uninstall. */
class ChartCrdsTest {

    private static final Path COPIES = RenderedChart.CHART.resolve("files/crds");

    private static final Map<String, Set<ChartRole>> GROUPS = Map.of(
            "objectbucket.io", EnumSet.of(ChartRole.BUCKETS, ChartRole.ORPHANS),
            "cosi.io", EnumSet.of(ChartRole.COSI, ChartRole.ADAPTER, ChartRole.DRIVERS),
            "objectstorage.k8s.io", EnumSet.of(ChartRole.COSI, ChartRole.DRIVERS));

    @Test
    void theCopiesInTheChartAreTheGeneratedOnes() throws IOException {
        Map<String, String> generated = generated()
                .documents()
                .collect(Collectors.toMap(
                        yaml -> Serialization.unmarshal(yaml, CustomResourceDefinition.class)
                                        .getMetadata()
                                        .getName()
                                + ".yaml",
                        String::strip));
        try (Stream<Path> copies = Files.list(COPIES)) {
            assertThat(copies.map(Path::getFileName).map(Path::toString))
                    .containsExactlyInAnyOrderElementsOf(generated.keySet());
        }
        for (Map.Entry<String, String> crd : generated.entrySet()) {
            assertThat(Files.readString(COPIES.resolve(crd.getKey()))
                            .replaceFirst("^---\n", "")
                            .strip())
                    .as(
                            "cp product/api/src/test/resources/golden/%1$s deploy/helm/bucketwright/files/crds/%1$s",
                            crd.getKey())
                    .isEqualTo(crd.getValue());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRoleHasItsDefinitionsAndNoOthers(ChartRole role) {
        List<CustomResourceDefinition> rendered = definitions(ChartRole.values(EnumSet.of(role)));
        assertThat(groups(ChartRole.values(EnumSet.of(role))))
                .isEqualTo(GROUPS.entrySet().stream()
                        .filter(group -> group.getValue().contains(role))
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet()));
        assertThat(rendered)
                .allSatisfy(crd -> assertThat(crd.getMetadata().getAnnotations())
                        .containsEntry("helm.sh/resource-policy", "keep")
                        .containsEntry("argocd.argoproj.io/sync-options", "Prune=false,Delete=false")
                        .containsEntry("kustomize.toolkit.fluxcd.io/prune", "disabled"));
    }

    @Test
    void byDefaultCosiHasTheReleasedDefinitionsAndTheOthersOnlyOnRequest() {
        assertThat(groups(Map.of())).containsExactlyInAnyOrder("objectbucket.io", "objectstorage.k8s.io");
        assertThat(groups(Map.of("drivers", List.of(Map.of("name", "a", "namespaces", List.of("team"))))))
                .containsExactlyInAnyOrder("objectbucket.io", "objectstorage.k8s.io");
        assertThat(groups(Map.of("cosi", Map.of("api", "cosi.io"))))
                .containsExactlyInAnyOrder("objectbucket.io", "cosi.io");
        assertThat(groups(Map.of("cosi", Map.of("api", "all"))))
                .containsExactlyInAnyOrder("objectbucket.io", "objectstorage.k8s.io", "cosi.io");
    }

    @Test
    void theDefinitionsAreTheGeneratedOnesAlsoWhenTheyAreRendered() {
        List<CustomResourceDefinition> rendered = definitions(ChartRole.all(Map.of()));
        assertThat(rendered).hasSize(13);
        List<HasMetadata> generated = generated().objects();
        assertThat(rendered)
                .extracting(CustomResourceDefinition::getSpec)
                .containsExactlyInAnyOrderElementsOf(
                        RenderedChart.only(generated, CustomResourceDefinition.class).stream()
                                .map(CustomResourceDefinition::getSpec)
                                .toList());
    }

    /** Argo CD renders without a cluster: what the cluster has cannot decide. */
    @Test
    void aGroupOfOthersIsSkipped() {
        assertThat(groups(ChartRole.all(Map.of("crds", Map.of("buckets", "skip")))))
                .containsExactlyInAnyOrder("objectstorage.k8s.io", "cosi.io");
    }

    @Test
    void crdsCanBeSwitchedOff() {
        assertThat(definitions(ChartRole.all(Map.of("crds", RenderedChart.NO_CRDS))))
                .isEmpty();
    }

    private static Set<String> groups(Map<String, Object> values) {
        return definitions(values).stream().map(crd -> crd.getSpec().getGroup()).collect(Collectors.toSet());
    }

    private static RenderedChart generated() {
        return new RenderedChart(String.join(
                "---\n",
                Crds.yaml(Crds.OBJECT_BUCKET_KINDS),
                Crds.yaml(Crds.COSI_KINDS),
                Crds.yaml(Crds.RELEASED_KINDS)));
    }

    private static List<CustomResourceDefinition> definitions(Map<String, Object> values) {
        return RenderedChart.only(RenderedChart.of(values).objects(), CustomResourceDefinition.class);
    }
}
