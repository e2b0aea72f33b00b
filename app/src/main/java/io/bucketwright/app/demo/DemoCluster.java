package io.bucketwright.app.demo;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionStatus;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The cluster of the demo, and what it made there: that is removed, however the demo ends. */
final class DemoCluster implements AutoCloseable {

    static final long PATIENCE_SECONDS = 60;

    private final String name =
            "bucketwright-demo-" + UUID.randomUUID().toString().substring(0, 5);
    private final Config config;
    private final KubernetesClient client;
    private final Deque<HasMetadata> made = new ArrayDeque<>();

    DemoCluster(Config config) {
        this.config = config;
        this.client = new KubernetesClientBuilder().withConfig(config).build();
    }

    /** What everything of this demo is called: its namespace, its classes, its provisioners. */
    String name() {
        return name;
    }

    Config config() {
        return config;
    }

    KubernetesClient client() {
        return client;
    }

    String version() {
        return client.getKubernetesVersion().getGitVersion();
    }

    void makeNamespace() {
        make(new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build());
    }

    <T extends HasMetadata> T make(T object) {
        T created = client.resource(object).create();
        made.push(created);
        return created;
    }

    /** Installs a definition where it is missing; one that was there already may be somebody else's and is used as it is. */
    String install(CustomResourceDefinition definition) {
        String definitionName = definition.getMetadata().getName();
        var existing = client.apiextensions().v1().customResourceDefinitions().withName(definitionName);
        String how = "installed";
        if (existing.get() == null) {
            client.resource(definition).create();
        } else {
            how = "there already";
        }
        existing.waitUntilCondition(DemoCluster::established, PATIENCE_SECONDS, TimeUnit.SECONDS);
        return definitionName + ": " + how;
    }

    /** Just after its creation a definition has no status, and then one without conditions. */
    private static boolean established(@Nullable CustomResourceDefinition definition) {
        return Optional.ofNullable(definition)
                .map(CustomResourceDefinition::getStatus)
                .map(CustomResourceDefinitionStatus::getConditions)
                .stream()
                .flatMap(List::stream)
                .anyMatch(condition -> condition.getType().equals("Established")
                        && condition.getStatus().equals("True"));
    }

    @Override
    public void close() {
        made.forEach(object -> client.resource(object).delete());
        client.close();
    }
}
