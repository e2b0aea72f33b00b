package io.bucketwright.app.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.AddOn;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the API server says to the chart: it knows every field, and keeps the CRDs. */
@OnCluster(with = AddOn.NODE, own = true)
class ChartServerIT {

    private static final String OURS = "objectbucketclaims.objectbucket.io";
    private static final String RELEASE_NAME = "meta.helm.sh/release-name";

    @Test
    void theApiServerKnowsEveryFieldOfEveryObject(TestCluster cluster) {
        assertAccepted(cluster, Map.of());
        assertAccepted(cluster, ChartRole.values(EnumSet.of(ChartRole.DRIVERS, ChartRole.ADAPTER)));
        assertAccepted(cluster, ChartRole.all(RenderedChart.values("""
                defaults:
                  replicas: 2
                  priorityClassName: system-cluster-critical
                  extraEnv: [{name: A, value: b}]
                watchNamespace: default
                imagePullSecrets: [{name: registry}]
                podClaims: {enabled: true, authorize: true}
                releaser: {enabled: true, scrubNamespace: default}
                networkPolicy: {enabled: true, metricsFrom: [{namespaceSelector: {}}], egress: [{}]}
                monitoring: {dashboard: true}
                """)));
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
    void definitionsAreUpgradedAndKept(TestCluster cluster, @TempDir Path folder) throws IOException {
        KubernetesClient admin = cluster.admin();
        HelmRelease release = new HelmRelease(cluster, folder);
        Path chart = copy(folder.resolve("bucketwright"));
        assertThat(release.install(chart, Map.of())).contains("bucketwright doctor", "kind: ObjectBucketClaim");
        assertThat(release.definition(OURS).require().getMetadata().getAnnotations())
                .containsEntry(RELEASE_NAME, RenderedChart.RELEASE);

        Path file = chart.resolve("files/crds/" + OURS + ".yaml");
        String changed = Files.readString(file).replaceFirst("shortNames:\n", "shortNames:\n    - claimed\n");
        assertThat(changed).contains("claimed");
        Files.writeString(file, changed);
        release.upgrade(chart, Map.of());
        assertThat(shortNames(release)).contains("claimed");

        release.uninstall();
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
        assertThat(release.install(RenderedChart.CHART, Map.of()))
                .contains("bucketwright doctor", "kind: ObjectBucketClaim");
        assertThat(shortNames(release)).doesNotContain("claimed");
    }

    private static List<String> shortNames(HelmRelease release) {
        return release.definition(OURS).require().getSpec().getNames().getShortNames();
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
