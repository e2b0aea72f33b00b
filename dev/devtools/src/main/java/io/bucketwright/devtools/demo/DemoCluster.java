package io.bucketwright.devtools.demo;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.ApiServerOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientTimeoutException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The cluster of the demo. If it is not a temporary one, the objects that the demo created are deleted in the end. */
final class DemoCluster implements AutoCloseable {

    private static final long TIMEOUT_SECONDS = 60;

    private final String name;
    private final KubernetesClient client;
    private final DemoSteps steps;
    private final DemoOptions options;
    private final Deque<HasMetadata> created = new ConcurrentLinkedDeque<>();
    private final Thread cleanup = new Thread(this::deleteCreated, "delete-demo-objects");

    DemoCluster(ApiServerOptions server, DemoSteps steps, DemoOptions options) {
        this.steps = steps;
        this.options = options;
        this.name = options.context().isEmpty()
                ? "demo"
                : "bucketwright-demo-" + UUID.randomUUID().toString().substring(0, 5);
        this.client = new KubernetesClientBuilder().withConfig(server.config()).build();
        if (options.context().isPresent()) {
            Runtime.getRuntime().addShutdownHook(cleanup);
        }
    }

    /** Whether the objects of the demo are kept. */
    boolean keep() {
        return options.keep();
    }

    /** Name of the namespace, the classes and the provisioners of this demo; unique in a cluster of the user. */
    String name() {
        return name;
    }

    /** Whether the demo started it. */
    boolean isLocal() {
        return options.context().isEmpty();
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

    /**
     * Waits for a condition.
     *
     * @param what as in "waiting for claim photos to be Bound"
     */
    <T extends HasMetadata> T await(String what, Resource<T> object, Predicate<T> condition) {
        return await(what, object, condition, TIMEOUT_SECONDS);
    }

    /** Waits for a condition for that many seconds. */
    <T extends HasMetadata> T await(String what, Resource<T> object, Predicate<T> condition, long seconds) {
        return steps.waitFor(what, () -> {
            try {
                return object.waitUntilCondition(
                        found -> found != null && condition.test(found), seconds, TimeUnit.SECONDS);
            } catch (KubernetesClientTimeoutException e) {
                throw timeout(what, seconds, object, e);
            }
        });
    }

    <T extends HasMetadata> void awaitDeleted(String what, Resource<T> object) {
        steps.waitFor(what + " to be deleted", () -> {
            try {
                return Optional.ofNullable(
                        object.waitUntilCondition(Objects::isNull, TIMEOUT_SECONDS, TimeUnit.SECONDS));
            } catch (KubernetesClientTimeoutException e) {
                throw timeout(what + " to be deleted", TIMEOUT_SECONDS, object, e);
            }
        });
    }

    private static CommandException timeout(
            String what, long seconds, Resource<?> object, KubernetesClientTimeoutException cause) {
        return new CommandException(
                "Waited " + seconds + " seconds for " + what + ". The object is now:\n"
                        + Serialization.asYaml(object.get()),
                cause);
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
        CustomResourceDefinition _ = await(definitionName + " to be served", existing, DemoCluster::established);
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
        if (options.context().isPresent()) {
            try {
                Runtime.getRuntime().removeShutdownHook(cleanup);
            } catch (IllegalStateException e) {
                // Ctrl-C: the hook deletes the objects, with this client.
                return;
            }
            deleteCreated();
        }
        client.close();
    }

    private void deleteCreated() {
        List<HasMetadata> left = new DemoCleanup(client, name).run(created);
        if (!left.isEmpty()) {
            steps.print("These objects of the demo are left in the cluster; remove their finalizers and delete them: "
                    + left.stream()
                            .map(object -> object.getKind() + " "
                                    + object.getMetadata().getName())
                            .collect(Collectors.joining(", ")));
        }
    }
}
