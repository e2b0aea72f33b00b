package io.bucketwright.testing;

import io.bucketwright.local.LocalCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ThreadLocalRandom;

/** The cluster of one test: a new namespace and its own API users, which are deleted after the test. */
public final class TestCluster implements AutoCloseable {

    private static final int LONGEST_PREFIX = 40;
    private static final String CLUSTER_ADMIN = "cluster-admin";

    private final LocalCluster local;
    private final KubernetesClient admin;
    private final String namespace;
    private final ConcurrentLinkedDeque<HasMetadata> made = new ConcurrentLinkedDeque<>();

    private TestCluster(LocalCluster local, KubernetesClient admin, String namespace) {
        this.local = local;
        this.admin = admin;
        this.namespace = namespace;
    }

    static TestCluster open(LocalCluster local, Method test) {
        String separated = test.getName().replaceAll("([A-Z])", "-$1").replaceAll("[^A-Za-z0-9]+", "-");
        String prefix = separated.substring(0, Math.min(LONGEST_PREFIX, separated.length()));
        String suffix = Integer.toString(ThreadLocalRandom.current().nextInt(36 * 36 * 36, 36 * 36 * 36 * 36), 36);
        String namespace = (prefix + "-" + suffix).toLowerCase(Locale.ROOT).replaceAll("-+", "-");
        TestCluster cluster = new TestCluster(local, Clients.of(local.kubeconfig()), namespace);
        cluster.make(new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace)
                .endMetadata()
                .build());
        return cluster;
    }

    /** Created for this test. */
    public String namespace() {
        return namespace;
    }

    /** A client with the administrator's permissions, for what the test itself does. */
    public KubernetesClient admin() {
        return admin;
    }

    public LocalCluster local() {
        return local;
    }

    /** A user of this test with all permissions, whose requests are counted separately. */
    public ApiUser user(String name) {
        ApiUser user = known(name);
        bind(user, CLUSTER_ADMIN);
        return user;
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
        bind(user, user.name());
        return user;
    }

    /** All requests of this user up to now. */
    public RequestCounts requests(ApiUser user) {
        return AuditLog.of(local.auditLog()).requests(user);
    }

    @Override
    public void close() {
        // Newest first, and without waiting: the deletion of a namespace takes seconds.
        while (!made.isEmpty()) {
            admin.resource(made.removeLast()).delete();
        }
        admin.close();
    }

    private ApiUser known(String name) {
        String unique = name + "-" + namespace;
        Path kubeconfig = local.kubeconfigFor(unique);
        return new ApiUser(unique, kubeconfig);
    }

    private void bind(ApiUser user, String role) {
        make(new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName(user.name())
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", role)
                .addNewSubject("rbac.authorization.k8s.io", "User", user.name(), null)
                .build());
    }

    private void make(HasMetadata object) {
        made.add(admin.resource(object).create());
    }
}
