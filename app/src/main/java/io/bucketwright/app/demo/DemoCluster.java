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

/** The cluster of the demo. On close it deletes the objects that the demo created. */
final class DemoCluster implements AutoCloseable {

    static final long TIMEOUT_SECONDS = 60;

    private final String name =
            "bucketwright-demo-" + UUID.randomUUID().toString().substring(0, 5);
    private final Config config;
    private final KubernetesClient client;
    private final Deque<HasMetadata> created = new ArrayDeque<>();

    DemoCluster(Config config) {
        this.config = config;
        this.client = new KubernetesClientBuilder().withConfig(config).build();
    }

    /** Name of the namespace, the classes and the provisioners of this demo. */
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

    void createNamespace() {
        create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build());
    }

    <T extends HasMetadata> T create(T object) {
        T result = client.resource(object).create();
        this.created.push(result);
        return result;
    }

    /** Installs a CRD if it does not exist; an existing one may belong to another vendor and is not changed. */
    String install(CustomResourceDefinition definition) {
        String definitionName = definition.getMetadata().getName();
        var existing = client.apiextensions().v1().customResourceDefinitions().withName(definitionName);
        String how = "installed";
        if (existing.get() == null) {
            client.resource(definition).create();
        } else {
            how = "already installed";
        }
        existing.waitUntilCondition(DemoCluster::established, TIMEOUT_SECONDS, TimeUnit.SECONDS);
        return definitionName + ": " + how;
    }

    /** A new CRD has no status at first, and then a status without conditions. */
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
        created.forEach(object -> client.resource(object).delete());
        client.close();
    }
}
