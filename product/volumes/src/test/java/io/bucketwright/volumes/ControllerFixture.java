package io.bucketwright.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.runtime.testing.StartedProcesses;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** The controllers of one test on a cluster, and its objects. When it is closed, they stop and are deleted. */
public abstract class ControllerFixture implements AutoCloseable {

    protected final TestCluster cluster;
    private final StartedProcesses processes = new StartedProcesses();
    private final Deque<HasMetadata> made = new ConcurrentLinkedDeque<>();

    protected ControllerFixture(TestCluster cluster) {
        this.cluster = cluster;
    }

    /** The namespace of the claims. */
    public abstract String namespace();

    public KubernetesClient admin() {
        return cluster.admin();
    }

    /** A user with the permissions of these roles in a file of deploy/, and no others. */
    protected static ApiUser user(TestCluster cluster, String name, String file, Predicate<String> roles) {
        try (FileInputStream content = new FileInputStream("../../deploy/" + file)) {
            List<PolicyRule> rules = cluster.admin().load(content).items().stream()
                    .filter(item -> roles.test(item.getMetadata().getName()))
                    .flatMap(ControllerFixture::rules)
                    .toList();
            assertThat(rules).as("rules of %s", name).isNotEmpty();
            return cluster.user(name, rules);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<PolicyRule> rules(HasMetadata item) {
        return switch (item) {
            case ClusterRole role -> role.getRules().stream();
            case Role role -> role.getRules().stream();
            default -> Stream.empty();
        };
    }

    /** Starts a process with more options and waits until it is ready. */
    protected <B extends ControllerProcessBuilder<B>> ControllerProcess start(B builder, Consumer<B> more) {
        more.accept(builder);
        return processes.start(builder.build());
    }

    /**
     * Creates the object; a new namespace may have no service account for pods yet. The client repeats a request whose
     * answer is lost, so that an object that exists already may be the one of this call.
     */
    public <T extends HasMetadata> T create(T object) {
        Instant begin = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        // In this thread: it may be one that the client needs for the answer.
        List<T> created = new ArrayList<>(tryToCreate(object, begin));
        if (created.isEmpty()) {
            Awaitility.await("to create " + object.getMetadata().getName())
                    .atMost(Eventually.TIMEOUT)
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> created.addAll(tryToCreate(object, begin)));
        }
        made.push(created.getFirst());
        return created.getFirst();
    }

    /** Empty if the namespace has no service account yet. */
    private <T extends HasMetadata> List<T> tryToCreate(T object, Instant begin) {
        try {
            return List.of(admin().resource(object).create());
        } catch (KubernetesClientException e) {
            if (e.getCode() == 403 && String.valueOf(e.getMessage()).contains("serviceaccount")) {
                return List.of();
            }
            T existing = e.getCode() == 409 ? admin().resource(object).get() : null;
            if (existing == null || createdAt(existing).isBefore(begin)) {
                throw e;
            }
            return List.of(existing);
        }
    }

    private static Instant createdAt(HasMetadata object) {
        return Instant.parse(object.getMetadata().getCreationTimestamp());
    }

    /** A claim that is not created yet. */
    public PersistentVolumeClaim newClaim(String name, String storageClass, String accessMode, String size) {
        return Serialization.unmarshal(
                """
                metadata: {namespace: %s, name: %s}
                spec:
                  storageClassName: "%s"
                  accessModes: [%s]
                  resources: {requests: {storage: %s}}
                """.formatted(namespace(), name, storageClass, accessMode, size), PersistentVolumeClaim.class);
    }

    /** The claim on the server. */
    public Optional<PersistentVolumeClaim> get(String claim) {
        return Optional.ofNullable(admin().persistentVolumeClaims()
                .inNamespace(namespace())
                .withName(claim)
                .get());
    }

    public boolean isBound(String claim) {
        return get(claim)
                .filter(found -> found.getStatus() != null
                        && "Bound".equals(found.getStatus().getPhase()))
                .isPresent();
    }

    /** The events about an object; those of objects without a namespace are in {@code default}. */
    protected Stream<Event> events(String object, String field, String value) {
        // By field: the events of all tests that run are many, and a wait reads them ten times a second.
        return Stream.of(namespace(), "default")
                .flatMap(in -> admin()
                        .events()
                        .v1()
                        .events()
                        .inNamespace(in)
                        .withField("regarding.name", object)
                        .withField(field, value)
                        .list()
                        .getItems()
                        .stream());
    }

    @Override
    public void close() {
        processes.close();
        made.forEach(object -> admin().resource(object).withGracePeriod(0).delete());
    }
}
