package io.bucketwright.app.volumes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The pages about volumes: their YAML is taken by a real API server, and they name every flag. */
@OnCluster
@ResourceLock("pod claims of all namespaces")
class VolumeDocsIT {

    private static final Pattern BLOCK = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    @ParameterizedTest
    @CsvSource({"../docs/pod-claims.md, 1", "../docs/pv-releaser.md, 3", "../docs/build-caches.md, 2"})
    void theYamlOfThePageCanBeApplied(Path page, int blocks, TestCluster cluster) throws IOException {
        List<String> texts = BLOCK.matcher(Files.readString(page))
                .results()
                .map(block -> block.group(1))
                .toList();
        assertThat(texts).hasSize(blocks);
        KubernetesClient admin = cluster.admin();
        Deque<HasMetadata> made = new ArrayDeque<>();
        try {
            for (String text : texts) {
                HasMetadata object = admin.resource(text).item();
                if (object.getMetadata().getNamespace() != null) {
                    object.getMetadata().setNamespace(cluster.namespace());
                }
                // A young namespace may have no service account for a pod yet.
                await().atMost(1, TimeUnit.MINUTES)
                        .ignoreExceptionsMatching(
                                e -> e instanceof KubernetesClientException refused && refused.getCode() == 403)
                        .untilAsserted(() -> made.push(admin.resource(object)
                                .fieldValidation(FieldValidateable.Validation.STRICT)
                                .create()));
            }
        } finally {
            made.forEach(object -> admin.resource(object).withGracePeriod(0).delete());
        }
    }

    @Test
    void theTwoPagesNameEveryFlag() throws IOException {
        String pages = Files.readString(Path.of("../docs/pod-claims.md"))
                + Files.readString(Path.of("../docs/pv-releaser.md"));
        assertThat(Stream.of(new PvcProvisionerCommand(), new PvReleaserCommand())
                        .map(CommandLine::new)
                        .flatMap(command -> command.getCommandSpec().options().stream())
                        .filter(option -> !option.usageHelp() && !option.versionHelp())
                        .map(option -> Arrays.stream(option.names())
                                .filter(name -> name.startsWith("-") && !name.startsWith("--"))
                                .findFirst()
                                .orElse(option.longestName())))
                .isNotEmpty()
                .allSatisfy(flag -> assertThat(pages).contains("`" + flag));
    }
}
