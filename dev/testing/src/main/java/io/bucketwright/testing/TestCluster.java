package io.bucketwright.testing;

import io.bucketwright.local.LocalCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The cluster of one test: a new namespace and its own API users, which are deleted after the test. */
public final class TestCluster implements AutoCloseable {

    private static final int LONGEST_PREFIX = 40;
    private static final int UNPROCESSABLE = 422;
    private static final String CLUSTER_ADMIN = "cluster-admin";
    private static final PolicyRule ALL = new PolicyRuleBuilder()
            .withApiGroups("*")
            .withResources("*")
            .withVerbs("*")
            .build();

    /** The object was deleted, or changed by another client. */
    private static final Set<Integer> LOST_RACE = Set.of(404, 409, UNPROCESSABLE);

    private final LocalCluster local;
    private final KubernetesClient admin;
    private final String namespace;
    private final InstalledDefinitions definitions;
    private final ConcurrentLinkedDeque<HasMetadata> made = new ConcurrentLinkedDeque<>();

    private TestCluster(
            LocalCluster local, KubernetesClient admin, String namespace, InstalledDefinitions definitions) {
        this.local = local;
        this.admin = admin;
        this.namespace = namespace;
        this.definitions = definitions;
    }

    static TestCluster open(LocalCluster local, KubernetesClient admin, InstalledDefinitions definitions, Method test) {
        String separated = test.getName().replaceAll("([A-Z])", "-$1").replaceAll("[^A-Za-z0-9]+", "-");
        String prefix = separated.substring(0, Math.min(LONGEST_PREFIX, separated.length()));
        String suffix = Integer.toString(ThreadLocalRandom.current().nextInt(36 * 36 * 36, 36 * 36 * 36 * 36), 36);
        String namespace = (prefix + "-" + suffix).toLowerCase(Locale.ROOT).replaceAll("-+", "-");
        TestCluster cluster = new TestCluster(local, admin, namespace, definitions);
        cluster.createNamespace(namespace);
        return cluster;
    }

    /** Created for this test. */
    public String namespace() {
        return namespace;
    }

    /** A client with the administrator's permissions, for what the test itself does. All tests of the cluster share it. */
    public KubernetesClient admin() {
        return admin;
    }

    public LocalCluster local() {
        return local;
    }

    /** Runs kubectl as the administrator in this test's namespace, and returns what it prints. */
    public String kubectl(String... arguments) {
        ProcessBuilder builder = new ProcessBuilder(Stream.concat(
                                Stream.of(local.kubectl().toString(), "--namespace=" + namespace), Stream.of(arguments))
                        .toList())
                .redirectErrorStream(true);
        builder.environment().put("KUBECONFIG", local.kubeconfig().toString());
        try {
            return new String(builder.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A user of this test with all permissions, whose requests are counted separately. */
    public ApiUser user(String name) {
        return bound(known(name), CLUSTER_ADMIN, List.of(ALL));
    }

    /** A user of this test with exactly these permissions. */
    public ApiUser user(String name, List<PolicyRule> rules) {
        ApiUser user = known(name);
        make(new ClusterRoleBuilder()
                .withNewMetadata()
                .withName(user.name())
                .endMetadata()
                .withRules(rules)
                .build());
        return bound(user, user.name(), rules);
    }

    /** Creates a namespace that is deleted after the test. */
    public String createNamespace(String name) {
        make(new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build());
        return name;
    }

    /** A ConfigMap in the namespace of this test that is not created yet. */
    public ConfigMap configMap(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .build();
    }

    /** Creates a pod in the namespace of this test, as soon as the namespace has a service account. */
    public PodResource createPod(String yaml) {
        Pod pod = Serialization.unmarshal(yaml, Pod.class);
        Eventually.await("the service account of namespace " + namespace).until(() -> {
            try {
                return admin.resource(pod).inNamespace(namespace).create() != null;
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                    throw new AssertionError(e);
                }
                return false;
            }
        });
        return admin.pods().inNamespace(namespace).withName(pod.getMetadata().getName());
    }

    /** An object in the namespace of this test. */
    public <T extends HasMetadata> Resource<T> object(Class<T> type, String name) {
        return admin.resources(type).inNamespace(namespace).withName(name);
    }

    /** All requests of this user up to now. */
    public RequestCounts requests(ApiUser user) {
        return AuditLog.of(local.auditLog()).requests(user);
    }

    /** Permission for these verbs on these resources of an API group. */
    public static PolicyRule rule(String group, List<String> resources, String... verbs) {
        return new PolicyRuleBuilder()
                .withApiGroups(group)
                .withResources(resources)
                .withVerbs(verbs)
                .build();
    }

    /** Installs these definitions, replacing others of the same kinds, and waits until they are served. */
    public void install(List<CustomResourceDefinition> wanted) {
        definitions.install(admin, wanted);
    }

    /** Changes the object as it is on the server now, even if a controller changes it at the same time. */
    public <T extends HasMetadata> T edit(T object, Consumer<T> change) {
        return onLatest(
                object,
                latest -> admin.resource(latest).edit(current -> {
                    change.accept(current);
                    return current;
                }));
    }

    /** Changes the status of the object, as {@link #edit} does. */
    public <T extends HasMetadata> T editStatus(T object, Consumer<T> change) {
        return onLatest(
                object,
                latest -> admin.resource(latest).editStatus(current -> {
                    change.accept(current);
                    return current;
                }));
    }

    /** An edit requires the version that was read, so a conflict is followed by another attempt. */
    private <T extends HasMetadata> T onLatest(T object, UnaryOperator<T> edit) {
        for (int attempt = 1; true; attempt++) {
            try {
                @Nullable T latest = admin.resource(object).get();
                return edit.apply(latest == null ? object : latest);
            } catch (KubernetesClientException e) {
                if (!metAnotherChange(e) || attempt == 20) {
                    throw e;
                }
            }
        }
    }

    /**
     * An edit is sent as a JSON patch. One that no longer fits, for example because a finalizer is gone, is 422 without a
     * cause; an object that is invalid has causes.
     */
    private static boolean metAnotherChange(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_CONFLICT
                || (e.getCode() == UNPROCESSABLE
                        && Optional.ofNullable(e.getStatus())
                                .map(Status::getDetails)
                                .map(StatusDetails::getCauses)
                                .filter(List::isEmpty)
                                .isPresent());
    }

    /** Removes all finalizers, as an impatient administrator does. */
    public void removeFinalizers(HasMetadata object) {
        edit(object, current -> current.getMetadata().setFinalizers(List.of()));
    }

    /** Deletes an object past its finalizers, whether its controller runs or not. */
    public void forceDelete(HasMetadata object) {
        try {
            removeFinalizers(object);
            admin.resource(object).delete();
            // A controller that still runs may have added its finalizer again in between; now it no longer can.
            if (admin.resource(object).get() != null) {
                removeFinalizers(object);
            }
        } catch (KubernetesClientException e) {
            if (!LOST_RACE.contains(e.getCode())) {
                throw e;
            }
        }
    }

    /** The events in the namespace of this test. */
    public List<Event> events() {
        return admin.events().v1().events().inNamespace(namespace).list().getItems();
    }

    /** The messages of events about objects of that name, in the namespace of this test and with that reason. */
    public List<String> events(String object, String reason) {
        return events().stream()
                .filter(event -> object.equals(event.getRegarding().getName()) && reason.equals(event.getReason()))
                .map(Event::getNote)
                .toList();
    }

    /** The decoded values of a Secret. */
    public static Map<String, String> decoded(Secret secret) {
        return secret.getData().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> new String(Base64.getDecoder().decode(entry.getValue()), StandardCharsets.UTF_8)));
    }

    @Override
    public void close() {
        // Newest first, and without waiting: the deletion of a namespace takes seconds.
        while (!made.isEmpty()) {
            admin.resource(made.removeLast()).delete();
        }
    }

    private ApiUser known(String name) {
        String unique = name + "-" + namespace;
        return new ApiUser(unique, local.kubeconfigFor(unique));
    }

    private ApiUser bound(ApiUser user, String role, List<PolicyRule> rules) {
        make(new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName(user.name())
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", role)
                .addNewSubject("rbac.authorization.k8s.io", "User", user.name(), null)
                .build());
        awaitAllowed(user, rules);
        return user;
    }

    /** The API server authorizes from a cache, which may not have the binding yet. */
    private void awaitAllowed(ApiUser user, List<PolicyRule> rules) {
        rules.stream()
                .filter(rule -> !rule.getResources().isEmpty())
                .findFirst()
                .ifPresent(rule -> {
                    String[] resource = rule.getResources().getFirst().split("/", 2);
                    SubjectAccessReview review = new SubjectAccessReviewBuilder()
                            .withNewSpec()
                            .withUser(user.name())
                            .withNewResourceAttributes()
                            .withGroup(rule.getApiGroups().getFirst())
                            .withResource(resource[0])
                            .withSubresource(resource.length > 1 ? resource[1] : "")
                            .withVerb(rule.getVerbs().getFirst())
                            .withName(
                                    rule.getResourceNames().stream().findFirst().orElse(""))
                            .endResourceAttributes()
                            .endSpec()
                            .build();
                    if (!isAllowed(review)) {
                        Eventually.await("the permissions of " + user.name()).until(() -> isAllowed(review));
                    }
                });
    }

    private boolean isAllowed(SubjectAccessReview review) {
        return admin.resource(review).create().getStatus().getAllowed();
    }

    private void make(HasMetadata object) {
        made.add(admin.resource(object).create());
    }
}
