package io.bucketwright.cosi.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.bucketwright.api.Crds;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Every YAML of docs/cosi.md and examples/cosi is taken by a real API server, with no field unknown to it. */
@OnCluster
@Order(8)
class DocumentedYamlIT {

    private static final Pattern BLOCK = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    @Test
    void theYamlOfTheGuideCanBeApplied(TestCluster cluster) throws IOException {
        List<String> blocks = BLOCK.matcher(Files.readString(Path.of("../../docs/cosi.md")))
                .results()
                .map(block -> block.group(1))
                .toList();
        assertThat(apply(cluster, blocks)).isEqualTo(7);
    }

    @Test
    void theYamlOfTheExamplesCanBeApplied(TestCluster cluster) throws IOException {
        assertThat(apply(cluster, texts("../../examples/cosi"))).isEqualTo(8);
    }

    /** With a dry run: nothing of it has to be deleted. */
    @Test
    void theYamlOfTheExamplesOfReleasedKindsCanBeApplied(TestCluster cluster) throws IOException {
        cluster.install(Crds.released());
        List<HasMetadata> objects = new ArrayList<>();
        for (String text : texts("../../examples/cosi-released")) {
            objects.addAll(cluster.admin()
                    .load(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                    .items());
        }
        assertThat(objects).hasSize(9);
        for (HasMetadata object : objects) {
            if (object.getMetadata().getNamespace() != null) {
                object.getMetadata().setNamespace(cluster.namespace());
            }
            // A young namespace may have no service account for a pod yet.
            await().atMost(1, TimeUnit.MINUTES)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(cluster.admin()
                                    .resource(object)
                                    .dryRun()
                                    .fieldValidation(FieldValidateable.Validation.STRICT)
                                    .create())
                            .isNotNull());
        }
    }

    private static List<String> texts(String folder) throws IOException {
        List<String> texts = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of(folder))) {
            for (Path file : files.sorted().toList()) {
                texts.add(Files.readString(file));
            }
        }
        return texts;
    }

    /** In this test's namespace, whatever they name: other tests may use theirs. */
    private static int apply(TestCluster cluster, List<String> texts) {
        Deque<HasMetadata> made = new ArrayDeque<>();
        try (ControllerFixture bench = new ControllerFixture(cluster)) {
            for (String text : texts) {
                var stream = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
                for (HasMetadata object : bench.admin().load(stream).items()) {
                    if (object.getMetadata().getNamespace() != null) {
                        object.getMetadata().setNamespace(bench.namespace());
                    }
                    // A young namespace may have no service account for a pod yet.
                    await().atMost(1, TimeUnit.MINUTES)
                            .ignoreExceptions()
                            .untilAsserted(() -> made.push(bench.admin()
                                    .resource(object)
                                    .fieldValidation(FieldValidateable.Validation.STRICT)
                                    .create()));
                }
            }
            made.forEach(
                    object -> bench.admin().resource(object).withGracePeriod(0).delete());
        }
        return made.size();
    }
}
