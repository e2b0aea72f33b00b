package io.bucketwright.app.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.Helm;
import io.bucketwright.local.AddOn;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the API server says to the chart: it knows every field, and keeps the CRDs. */
@OnCluster(with = AddOn.NODE, own = true)
class ChartServerIT {

    private static final String OURS = "objectbucketclaims.objectbucket.io";
    private static final String RELEASE_NAME = "meta.helm.sh/release-name";

    @TempDir
    private Path folder;

    @Test
    void theApiServerKnowsEveryFieldOfEveryObject(TestCluster cluster) {
        assertAccepted(cluster, Map.of());
        assertAccepted(cluster, ChartRole.values(EnumSet.of(ChartRole.DRIVERS, ChartRole.ADAPTER)));
        assertAccepted(
                cluster,
                ChartRole.all(Map.of(
                        "defaults",
                        Map.of(
                                "replicas",
                                2,
                                "priorityClassName",
                                "system-cluster-critical",
                                "extraEnv",
                                List.of(Map.of("name", "A", "value", "b"))),
                        "watchNamespace",
                        "default",
                        "imagePullSecrets",
                        List.of(Map.of("name", "registry")),
                        "podClaims",
                        Map.of("enabled", true, "authorize", true),
                        "releaser",
                        Map.of("enabled", true, "scrubNamespace", "default"),
                        "networkPolicy",
                        Map.of(
                                "enabled",
                                true,
                                "metricsFrom",
                                List.of(Map.of("namespaceSelector", Map.of())),
                                "egress",
                                List.of(Map.of())),
                        "monitoring",
                        Map.of("dashboard", true))));
    }

    /** Applies all objects without storing them; a field that the API server does not know is an error. */
    private static void assertAccepted(TestCluster cluster, Map<String, ?> values) {
        List<HasMetadata> objects = RenderedChart.of(values).objects();
        assertThat(objects).hasSizeGreaterThan(20);
        for (HasMetadata object : objects) {
            if (object.getMetadata().getNamespace() != null) {
                object.getMetadata().setNamespace(cluster.namespace());
            }
            assertThat(cluster.admin()
                            .resource(object)
                            .dryRun()
                            .fieldValidation(Validation.STRICT)
                            .serverSideApply())
                    .isNotNull();
        }
    }

    @Test
    void definitionsAreUpgradedAndKept(TestCluster cluster) throws IOException {
        KubernetesClient admin = cluster.admin();
        // No pods: there is no node.
        Path values = Files.writeString(
                folder.resolve("values.json"), Serialization.asJson(Map.of("defaults", Map.of("replicas", 0))));
        Path chart = copy(folder.resolve("bucketwright"));
        install(cluster, chart, values);
        assertThat(definition(admin, OURS).getMetadata().getAnnotations())
                .containsEntry(RELEASE_NAME, RenderedChart.RELEASE);

        Path file = chart.resolve("files/crds/" + OURS + ".yaml");
        String changed = Files.readString(file).replaceFirst("shortNames:\n", "shortNames:\n    - claimed\n");
        assertThat(changed).contains("claimed");
        Files.writeString(file, changed);
        new Helm(chart)
                .upgrade()
                .withName(RenderedChart.RELEASE)
                .withNamespace(cluster.namespace())
                .withKubeConfig(cluster.local().kubeconfig())
                .withValuesFile(values)
                .call();
        assertThat(definition(admin, OURS).getSpec().getNames().getShortNames()).contains("claimed");

        Helm.uninstall(RenderedChart.RELEASE)
                .withNamespace(cluster.namespace())
                .withKubeConfig(cluster.local().kubeconfig())
                .call();
        assertThat(admin.apps()
                        .deployments()
                        .inNamespace(cluster.namespace())
                        .list()
                        .getItems())
                .isEmpty();
        assertThat(admin.apiextensions().v1().customResourceDefinitions().list().getItems())
                .extracting(crd -> crd.getMetadata().getName())
                .contains(OURS, "buckets.objectstorage.k8s.io")
                .doesNotContain("buckets.cosi.io");

        // The same release finds its definitions again.
        install(cluster, RenderedChart.CHART, values);
        assertThat(definition(admin, OURS).getSpec().getNames().getShortNames()).doesNotContain("claimed");
    }

    private static void install(TestCluster cluster, Path chart, Path values) {
        String output = new Helm(chart)
                .install()
                .withName(RenderedChart.RELEASE)
                .withNamespace(cluster.namespace())
                .withKubeConfig(cluster.local().kubeconfig())
                .withValuesFile(values)
                .call()
                .getOutput();
        assertThat(output).contains("bucketwright doctor", "kind: ObjectBucketClaim");
    }

    private static CustomResourceDefinition definition(KubernetesClient admin, String name) {
        return Optional.ofNullable(admin.apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .withName(name)
                        .get())
                .orElseThrow();
    }

    private static Path copy(Path target) throws IOException {
        try (Stream<Path> files = Files.walk(RenderedChart.CHART)) {
            for (Path file : files.toList()) {
                Files.copy(file, target.resolve(RenderedChart.CHART.relativize(file)));
            }
        }
        return target;
    }
}
