package io.bucketwright.app.chart;

import com.marcnuri.helm.Helm;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the chart renders for some values, without a cluster.
 *
 * @param manifest the YAML documents, as {@code helm template} prints them
 */
public record RenderedChart(String manifest) {

    static final Path CHART = Path.of("../../deploy/helm/bucketwright");
    static final String RELEASE = "bucketwright";
    static final String KUBERNETES = "1.36.3";

    /** Expensive to create. */
    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    /** The largest part of what is rendered; one test has them. */
    static final Map<String, String> NO_CRDS = Map.of("buckets", "skip", "objectstorage", "skip", "cosi", "skip");

    /** Values of the chart. */
    @SuppressWarnings("unchecked") // YAML has strings as keys
    static Map<String, Object> values(String yaml) {
        return YAML.unmarshal(yaml, Map.class);
    }

    /** Renders the chart with these values over the defaults. */
    public static RenderedChart of(Map<String, ?> values) {
        return of(Serialization.asJson(values));
    }

    private static RenderedChart of(String json) {
        try {
            Path file = Files.createTempFile("values", ".json");
            try {
                Files.writeString(file, json);
                return new RenderedChart(new Helm(CHART)
                        .template()
                        .withName(RELEASE)
                        .withNamespace(RELEASE)
                        .withKubeVersion(KUBERNETES)
                        .withValuesFile(file)
                        .call());
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The documents, each with a comment that names its template. */
    Stream<String> documents() {
        return Arrays.stream(manifest.split("(?m)^---\\s*$", -1)).filter(document -> !document.isBlank());
    }

    List<HasMetadata> objects() {
        return documents()
                .map(document -> (HasMetadata) YAML.unmarshal(document))
                .toList();
    }

    /** A Deployment or DaemonSet. */
    record Workload(HasMetadata object, PodTemplateSpec template) {

        static Stream<Workload> of(HasMetadata object) {
            return switch (object) {
                case Deployment deployment ->
                    Stream.of(new Workload(object, deployment.getSpec().getTemplate()));
                case DaemonSet daemonSet ->
                    Stream.of(new Workload(object, daemonSet.getSpec().getTemplate()));
                default -> Stream.empty();
            };
        }

        String name() {
            return object.getMetadata().getName();
        }
    }

    static List<Workload> workloads(List<HasMetadata> objects) {
        return objects.stream().flatMap(Workload::of).toList();
    }

    static <T> List<T> only(List<HasMetadata> objects, Class<T> kind) {
        return objects.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
