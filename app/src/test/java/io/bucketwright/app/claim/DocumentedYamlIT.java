package io.bucketwright.app.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.bucketwright.api.Crds;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Every YAML of docs/buckets.md and examples/claims is taken by a real API server, with no field unknown to it. */
@OnCluster
@ResourceLock("provisioner bucketwright.io/bucket")
class DocumentedYamlIT {

    private static final Pattern BLOCK = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    @Test
    void theYamlOfTheGuideCanBeApplied(TestCluster cluster) throws IOException {
        List<String> blocks = BLOCK.matcher(Files.readString(Path.of("../docs/buckets.md")))
                .results()
                .map(block -> block.group(1))
                .toList();
        assertThat(blocks).hasSizeGreaterThan(6);
        apply(cluster, blocks);
    }

    @Test
    void theYamlOfTheExamplesCanBeApplied(TestCluster cluster) throws IOException {
        List<String> texts = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of("../examples/claims"))) {
            for (Path file : files.sorted().toList()) {
                texts.add(Files.readString(file));
            }
        }
        assertThat(texts).hasSize(6);
        apply(cluster, texts);
    }

    /** In this test's namespace, whatever they name: other tests may use theirs. */
    private static void apply(TestCluster cluster, List<String> texts) {
        KubernetesClient admin = cluster.admin();
        Crds.all().forEach(crd -> admin.resource(crd).serverSideApply());
        Deque<HasMetadata> made = new ArrayDeque<>();
        try {
            // A quota last: until the cluster has counted, which may take minutes, it refuses what it counts.
            for (HasMetadata object : texts.stream()
                    .map(text -> admin.resource(text).item())
                    .sorted(Comparator.comparing(ResourceQuota.class::isInstance))
                    .toList()) {
                if (object.getMetadata().getNamespace() != null) {
                    object.getMetadata().setNamespace(cluster.namespace());
                }
                // A young namespace may have no service account for a pod yet.
                await().atMost(1, TimeUnit.MINUTES)
                        .ignoreExceptionsMatching(DocumentedYamlIT::isForbidden)
                        .untilAsserted(() -> made.push(admin.resource(object)
                                .fieldValidation(FieldValidateable.Validation.STRICT)
                                .create()));
            }
        } finally {
            made.forEach(object -> admin.resource(object).withGracePeriod(0).delete());
        }
    }

    private static boolean isForbidden(Throwable e) {
        return e instanceof KubernetesClientException refused && refused.getCode() == HttpURLConnection.HTTP_FORBIDDEN;
    }
}
