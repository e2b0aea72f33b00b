package io.bucketwright.runtime.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The controller of docs/contributing/writing-a-controller.md works, and the page shows its source. */
@OnCluster
class CopyControllerIT {

    private static final class Builder extends ControllerProcessBuilder<Builder> {
        private final String namespace;

        private Builder(String namespace) {
            super("example.com/copies");
            this.namespace = namespace;
        }

        @Override
        protected void register(ControllerContext context, ControllerProcess process) {
            CopyController.register(context, namespace);
        }
    }

    @Test
    void copiesFollowTheirOriginalsAndForeignObjectsAreNotChanged(TestCluster cluster) throws InterruptedException {
        try (ControllerProcess process = ClientOptions.config(
                        new Builder(cluster.namespace()), cluster.user("copies").config())
                .build()
                .start()) {
            process.awaitReady();
            create(cluster, "settings", Map.of(CopyController.COPY_TO, "settings-copy"), Map.of("color", "red"));
            await(cluster, "settings-copy", Map.of("color", "red"));
            cluster.edit(cluster.configMap("settings"), original -> original.setData(Map.of("color", "blue")));
            await(cluster, "settings-copy", Map.of("color", "blue"));
            map(cluster, "settings-copy").delete();
            await(cluster, "settings-copy", Map.of("color", "blue"));

            create(cluster, "foreign", Map.of(), Map.of("color", "green"));
            create(cluster, "second", Map.of(CopyController.COPY_TO, "foreign"), Map.of("color", "red"));
            Awaitility.await()
                    .until(() -> !cluster.events("second", "NameInUse").isEmpty());
            assertThat(map(cluster, "foreign").get().getData()).isEqualTo(Map.of("color", "green"));
        }
    }

    @Test
    void thePageShowsTheSource() throws IOException {
        Path root = Path.of("../..");
        String page = Files.readString(root.resolve("docs/contributing/writing-a-controller.md"));
        String source = Files.readString(
                root.resolve("product/runtime/src/test/java/io/bucketwright/runtime/example/CopyController.java"));
        assertThat(page).contains("```java\n" + source + "```");
    }

    private static void await(TestCluster cluster, String name, Map<String, String> data) {
        Awaitility.await().until(() -> {
            ConfigMap found = map(cluster, name).get();
            return found != null && data.equals(found.getData());
        });
    }

    private static void create(
            TestCluster cluster, String name, Map<String, String> annotations, Map<String, String> data) {
        ConfigMap map = cluster.configMap(name);
        map.getMetadata().setAnnotations(annotations);
        map.setData(data);
        cluster.admin().resource(map).create();
    }

    private static Resource<ConfigMap> map(TestCluster cluster, String name) {
        return cluster.admin().configMaps().inNamespace(cluster.namespace()).withName(name);
    }
}
