package io.bucketwright.app.chart;

import com.marcnuri.helm.Helm;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The release {@code bucketwright} of the chart in the namespace of a test, as people install it with Helm. It has no pods:
 * there is no node.
 *
 * @param folder for the files with values
 */
record HelmRelease(TestCluster cluster, Path folder) {
    /** Installs a chart; returns what Helm prints. */
    String install(Path chart, Map<String, ?> values) {
        return new Helm(chart)
                .install()
                .withName(RenderedChart.RELEASE)
                .withNamespace(cluster.namespace())
                .withKubeConfig(cluster.local().kubeconfig())
                .withValuesFile(file(values))
                .call()
                .getOutput();
    }

    void upgrade(Path chart, Map<String, ?> values) {
        new Helm(chart)
                .upgrade()
                .withName(RenderedChart.RELEASE)
                .withNamespace(cluster.namespace())
                .withKubeConfig(cluster.local().kubeconfig())
                .withValuesFile(file(values))
                .call();
    }

    void uninstall() {
        Helm.uninstall(RenderedChart.RELEASE)
                .withNamespace(cluster.namespace())
                .withKubeConfig(cluster.local().kubeconfig())
                .call();
    }

    Resource<CustomResourceDefinition> definition(String name) {
        return cluster.admin().apiextensions().v1().customResourceDefinitions().withName(name);
    }

    private Path file(Map<String, ?> values) {
        Map<String, Object> all = new HashMap<>(values);
        all.put("defaults", Map.of("replicas", 0));
        try {
            return Files.writeString(folder.resolve("values.json"), Serialization.asJson(all));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
