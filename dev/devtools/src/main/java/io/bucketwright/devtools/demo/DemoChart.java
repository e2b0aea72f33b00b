package io.bucketwright.devtools.demo;

import io.bucketwright.local.LocalCluster;
import io.bucketwright.local.process.Ports;
import io.bucketwright.local.server.Component;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Helm chart for a part of the demo. Its manifests are rendered when Bucketwright is built, because rendering needs
 * Helm: {@code PART-values.yaml} and {@code node-values.yaml} give {@code PART.yaml}. A test compares them. Words and
 * ports in them stand for what only a running cluster has.
 *
 * @param values beside those that are only for a cluster on the machine's loopback device
 * @param manifests YAML documents
 */
record DemoChart(String values, String manifests) {

    private static final Pattern PLACEHOLDER =
            Pattern.compile("\\b(6000\\d|API_SERVER_PORT|STORE_ENDPOINT|STORE_IAM_ENDPOINT|STORE_REGION|VOLUMES)\\b");

    /** The chart for the roles of this part, on this cluster. */
    static DemoChart of(DemoPart part, LocalCluster local) {
        Map<String, String> words = new HashMap<>();
        words.put("API_SERVER_PORT", Integer.toString(local.port(Component.KUBE_APISERVER)));
        words.put("VOLUMES", local.controllerFiles().toString());
        local.s3().ifPresent(store -> {
            words.put("STORE_ENDPOINT", store.endpoint());
            words.put("STORE_IAM_ENDPOINT", store.iamEndpoint());
            words.put("STORE_REGION", store.region());
        });
        return new DemoChart(filled(resource(part + "-values.yaml"), words), filled(resource(part + ".yaml"), words));
    }

    List<HasMetadata> objects() {
        KubernetesSerialization yaml = new KubernetesSerialization();
        return Arrays.stream(manifests.split("(?m)^---\\s*$", -1))
                .filter(document -> document.lines().anyMatch(line -> !line.isBlank() && !line.startsWith("#")))
                .map(document -> (HasMetadata) yaml.unmarshal(document))
                .toList();
    }

    /** Replaces each word. A port is replaced by a free one, which is added to the words. */
    static String filled(String text, Map<String, String> words) {
        return PLACEHOLDER
                .matcher(text)
                .replaceAll(
                        found -> Matcher.quoteReplacement(words.computeIfAbsent(found.group(), DemoChart::freePort)));
    }

    private static String freePort(String placeholder) {
        if (!placeholder.startsWith("6000")) {
            throw new IllegalStateException("The cluster has no value for " + placeholder);
        }
        return Integer.toString(Ports.choose(null));
    }

    private static String resource(String name) {
        try (InputStream stream = Objects.requireNonNull(DemoChart.class.getResourceAsStream("chart/" + name), name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + name, e);
        }
    }
}
