package io.bucketwright.bench.cluster;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.ApiServerOptions;
import io.bucketwright.bench.http.ApiClient;
import io.bucketwright.bench.measure.ProcessUsage;
import io.bucketwright.local.LocalCluster;
import io.bucketwright.local.report.LocalClusterException;
import io.bucketwright.local.report.Progress;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The cluster of a bench: a new namespace on a temporary or a running local cluster. */
public final class BenchCluster implements AutoCloseable {

    private static final long TOKEN_SECONDS = 12 * 3600L;

    private static final Set<String> SERVERS = Set.of("etcd", "kube-apiserver");

    private final String namespace = "bench-" + UUID.randomUUID().toString().substring(0, 5);
    private final LocalCluster local;
    private final boolean temporary;
    private final KubernetesClient client;
    private final BenchProcesses processes;
    private final ApiClient admin;
    private final Deque<HasMetadata> created = new ArrayDeque<>();
    private final Set<String> deployed = new HashSet<>();
    private final Thread hook = new Thread(this::removeAll, "remove-bench");

    private BenchCluster(LocalCluster local, boolean temporary, BenchProcesses processes) {
        this.local = local;
        this.temporary = temporary;
        this.processes = processes;
        ApiServerOptions server = new ApiServerOptions();
        server.useKubeconfig(local.kubeconfig());
        this.client = new KubernetesClientBuilder().withConfig(server.config()).build();
        this.admin = ApiClient.of(local.kubeconfig());
    }

    /**
     * Opens the cluster.
     *
     * @param dir of a running local cluster; null for a temporary one
     */
    public static BenchCluster open(@Nullable Path dir, BenchProcesses processes, Progress progress) {
        LocalCluster local = dir == null
                ? LocalCluster.builder().progress(progress).start()
                : LocalCluster.find(dir)
                        .orElseThrow(() -> new LocalClusterException("There is no local cluster in " + dir
                                + "; start one with `bucketwright local up --dir " + dir + "`."));
        BenchCluster cluster = new BenchCluster(local, dir == null, processes);
        if (dir != null) {
            Runtime.getRuntime().addShutdownHook(cluster.hook);
        }
        cluster.create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(cluster.namespace)
                .endMetadata()
                .build());
        return cluster;
    }

    /** Name of the namespace, and part of the names of cluster-scoped objects. */
    public String namespace() {
        return namespace;
    }

    public KubernetesClient client() {
        return client;
    }

    /** The API server, with the credentials of its administrator. */
    public ApiClient admin() {
        return admin;
    }

    public Path auditLog() {
        return local.auditLog();
    }

    /** CPU time of the API server and of etcd up to now. */
    public SortedMap<String, Long> serverCpuMillis() {
        SortedMap<String, Long> times = new TreeMap<>();
        local.status().components().forEach((name, component) -> {
            if (component.running() && SERVERS.contains(name)) {
                times.put(name, ProcessUsage.cpuMillis(component.pid()));
            }
        });
        return times;
    }

    public BenchProcesses processes() {
        return processes;
    }

    /** Creates a class whose volumes or buckets are deleted with their claims. */
    public void createStorageClass(String name, String provisioner, Map<String, String> parameters) {
        create(new StorageClassBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withProvisioner(provisioner)
                .withReclaimPolicy("Delete")
                .withParameters(parameters)
                .build());
    }

    /** Creates an object that is deleted at the end, once. */
    public void create(HasMetadata object) {
        if (deployed.add(object.getKind() + " " + object.getMetadata().getNamespace() + "/"
                + object.getMetadata().getName())) {
            created.push(client.resource(object).create());
        }
    }

    /** Installs CRDs; those that were not there before are deleted at the end. */
    public void install(List<CustomResourceDefinition> definitions) {
        for (CustomResourceDefinition definition : definitions) {
            var existing = client.apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withName(definition.getMetadata().getName());
            if (existing.get() == null) {
                create(definition);
            }
            var _ = existing.waitUntilCondition(BenchCluster::isEstablished, 1, TimeUnit.MINUTES);
        }
    }

    private static boolean isEstablished(@Nullable CustomResourceDefinition definition) {
        return definition != null
                && definition.getStatus() != null
                && definition.getStatus().getConditions() != null
                && definition.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Established")
                                && condition.getStatus().equals("True"));
    }

    /** Creates the service accounts and permissions of a file of deploy/, once. */
    public void deploy(String file) {
        if (deployed.add(file)) {
            new BenchPermissions(client, namespace).load(file).forEach(this::create);
        }
    }

    /** Waits until pods can be created in the namespace. */
    public void awaitServiceAccount() {
        var _ = client.serviceAccounts()
                .inNamespace(namespace)
                .withName("default")
                .waitUntilCondition(Objects::nonNull, 1, TimeUnit.MINUTES);
    }

    /** A service account of a deployed file. */
    public BenchUser account(String name) {
        String token = client.serviceAccounts()
                .inNamespace(namespace)
                .withName(name)
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(TOKEN_SECONDS)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
        try {
            String text = Files.readString(local.kubeconfig())
                    .replaceAll("(?s)client-certificate-data: \\S+\\s+client-key-data: \\S+", "token: " + token);
            return new BenchUser(
                    "system:serviceaccount:" + namespace + ":" + name,
                    Files.writeString(processes.file("users").resolve(name), text));
        } catch (IOException e) {
            throw new CommandException("Cannot write a kubeconfig: " + e.getMessage() + ".", e);
        }
    }

    /**
     * A user with all permissions.
     *
     * @param recorded whether the audit log has the bodies of its requests
     */
    public BenchUser administrator(String name, boolean recorded) {
        String user = name + "-" + namespace;
        if (deployed.add(user)) {
            create(new ClusterRoleBindingBuilder()
                    .withNewMetadata()
                    .withName(user)
                    .endMetadata()
                    .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "cluster-admin")
                    .addNewSubject("rbac.authorization.k8s.io", "User", user, null)
                    .build());
        }
        return new BenchUser(
                user, recorded ? local.kubeconfigFor(user, LocalCluster.RECORDED_GROUP) : local.kubeconfigFor(user));
    }

    @Override
    public void close() {
        if (temporary) {
            processes.stopAll();
            closeClients();
            local.close();
        } else {
            removeAll();
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException shuttingDown) {
                return;
            }
            closeClients();
        }
    }

    private void closeClients() {
        admin.close();
        client.close();
    }

    /** From a running cluster, which is not removed with everything in it. */
    private synchronized void removeAll() {
        processes.stopAll();
        new BenchLeftovers(client, namespace).remove();
        while (!created.isEmpty()) {
            client.resource(created.pop()).delete();
        }
    }
}
