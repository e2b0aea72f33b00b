package io.bucketwright.app.demo;

import io.bucketwright.app.options.ApiServerOptions;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The cluster of the demo. On close it deletes the objects that the demo created. */
final class DemoCluster implements AutoCloseable {

    private static final long TIMEOUT_SECONDS = 60;

    private final String name =
            "bucketwright-demo-" + UUID.randomUUID().toString().substring(0, 5);
    private final ApiServerOptions server;
    private final KubernetesClient client;
    private final Deque<HasMetadata> created = new ArrayDeque<>();

    DemoCluster(ApiServerOptions server) {
        this.server = server;
        this.client = new KubernetesClientBuilder().withConfig(server.config()).build();
    }

    /** Name of the namespace, the classes and the provisioners of this demo. */
    String name() {
        return name;
    }

    <B extends ControllerProcessBuilder<B>> B connect(B builder) {
        return server.connect(builder);
    }

    KubernetesClient client() {
        return client;
    }

    void createNamespace() {
        create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build());
    }

    /** An object in the namespace of this demo. */
    <T extends HasMetadata> Resource<T> object(Class<T> type, String objectName) {
        return client.resources(type).inNamespace(name).withName(objectName);
    }

    /** Creates an object that is deleted with the namespace. */
    <T extends HasMetadata> T apply(String yaml, Class<T> type) {
        return client.resource(Serialization.unmarshal(yaml, type)).create();
    }

    static <T> T await(Resource<T> object, Predicate<T> condition) {
        return object.waitUntilCondition(
                found -> found != null && condition.test(found), TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    static void awaitDeleted(Resource<?> object) {
        object.waitUntilCondition(Objects::isNull, TIMEOUT_SECONDS, TimeUnit.SECONDS);
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
        boolean isNew = existing.get() == null;
        if (isNew) {
            client.resource(definition).create();
        }
        CustomResourceDefinition _ = await(existing, DemoCluster::established);
        return definitionName + (isNew ? ": installed" : ": already installed");
    }

    /** A new CRD has no status at first, and then a status without conditions. */
    private static boolean established(CustomResourceDefinition definition) {
        return Optional.ofNullable(definition.getStatus()).map(CustomResourceDefinitionStatus::getConditions).stream()
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
