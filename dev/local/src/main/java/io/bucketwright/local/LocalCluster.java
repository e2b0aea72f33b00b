package io.bucketwright.local;

import io.bucketwright.local.ClusterStatus.ComponentStatus;
import io.bucketwright.local.binaries.Binaries;
import io.bucketwright.local.binaries.KubernetesVersion;
import io.bucketwright.local.binaries.Program;
import io.bucketwright.local.pki.CertificateAuthority;
import io.bucketwright.local.process.ProcessIdentity;
import io.bucketwright.local.process.Supervisor;
import io.bucketwright.local.report.LocalClusterException;
import io.bucketwright.local.report.Progress;
import io.bucketwright.local.server.Component;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.local.stores.StoreKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real Kubernetes cluster on this machine. Closing it, or the end of this JVM in whatever way, ends its processes and
 * removes its files, unless it was {@link #release() released}.
 */
public final class LocalCluster implements AutoCloseable {

    /** The audit log has the bodies of requests and responses of users in this group, and only of them. */
    public static final String RECORDED_GROUP = "bucketwright:recorded";

    /** Names of controllers that can run beside the cluster; they are stopped in this order and before its servers. */
    public static final List<String> CONTROLLERS = List.of(
            "directory-provisioner",
            "pv-releaser",
            "cosi.io-sidecar",
            "cosi.io-controller",
            "cosi-sidecar",
            "cosi-controller",
            "bucket-controller");

    private static final long STOP_GRACE_MILLIS = 5_000;

    private final ClusterFiles files;
    private final Supervisor supervisor;
    private final CertificateAuthority authority;
    private final Binaries binaries;
    private final @Nullable ClusterStart start;
    private @Nullable Thread hook;

    private LocalCluster(
            ClusterFiles files,
            Supervisor supervisor,
            CertificateAuthority authority,
            Binaries binaries,
            @Nullable ClusterStart start) {
        this.files = files;
        this.supervisor = supervisor;
        this.authority = authority;
        this.binaries = binaries;
        this.start = start;
    }

    public static LocalClusterBuilder builder() {
        return new LocalClusterBuilder();
    }

    /** The cluster that was left behind in this folder, to look at or to end. */
    public static Optional<LocalCluster> find(Path dir) {
        ClusterFiles files = new ClusterFiles(dir.toAbsolutePath().normalize());
        if (!files.exists()) {
            return Optional.empty();
        }
        Binaries binaries = Binaries.ofThisUser(Progress.silent())
                .with(ClusterState.load(files.dir()).kubernetes());
        return Optional.of(new LocalCluster(files, supervisor(files), files.authority(), binaries, null));
    }

    static LocalCluster up(ClusterOptions options) {
        if (options.additions().contains(AddOn.NODE)) {
            // Before anything is built.
            Node.requireMachine();
        }
        ClusterFiles files = new ClusterFiles(options.dir());
        requireVersion(files, options.binaries().kubernetes());
        Map<Program, Path> programs = options.binaries().provide(ClusterStart.programs(options.additions()));
        files.create();
        try (DirectoryLock _ = DirectoryLock.acquire(files.dir())) {
            Supervisor supervisor = supervisor(files);
            boolean running = Component.stopOrder().stream()
                    .anyMatch(component -> supervisor.running(component).isPresent());
            CertificateAuthority authority = files.authority();
            ClusterStart start = new ClusterStart(options, files, supervisor, authority, programs);
            LocalCluster cluster = new LocalCluster(files, supervisor, authority, options.binaries(), start);
            if (running) {
                // Started by another process: a failure to add to it must not remove it.
                start.add(options.additions());
                return cluster;
            }
            supervisor.guard();
            cluster.endWithJvm();
            try {
                start.add(options.additions());
                return cluster;
            } catch (RuntimeException e) {
                cluster.close();
                throw e;
            }
        }
    }

    public Path dir() {
        return files.dir();
    }

    /** The administrator's kubeconfig. */
    public Path kubeconfig() {
        return files.adminKubeconfig();
    }

    /** A kubeconfig for a user of that name and those groups, who may do nothing that nobody granted them. */
    public Path kubeconfigFor(String user, String... groups) {
        if (user.isBlank()) {
            throw new LocalClusterException("A user needs a name.");
        }
        List<String> groupList = List.of(groups);
        String server = ControlPlane.url(port(Component.KUBE_APISERVER));
        return files.kubeconfig(authority, files.userFile(user, groupList), server, user, groupList);
    }

    /** The API server's audit log: one JSON object for each request, of every user. */
    public Path auditLog() {
        return files.auditLog();
    }

    /** The folder of the logs of all processes. */
    public Path logs() {
        return files.logs();
    }

    /** A folder for files of controllers; it is removed with the cluster. */
    public Path controllerFiles() {
        return LocalClusterException.orFail(
                "Cannot make the folder " + files.controllers(), () -> Files.createDirectories(files.controllers()));
    }

    /**
     * Starts a controller that belongs to the cluster and ends with it. It writes its output to a log in {@link #logs()}
     * that has its name.
     *
     * @param name one of {@link #CONTROLLERS}
     * @param environment variables beside those of this process
     */
    public void launch(String name, List<String> command, Map<String, String> environment) {
        supervisor.launch(name, command, environment, files.log(name));
    }

    /** Whether a controller that was launched still runs. */
    public boolean isRunning(String name) {
        return supervisor.running(name).isPresent();
    }

    /** Stops a controller, with SIGTERM, and with SIGKILL after five seconds. */
    public void stop(String name) {
        supervisor.stop(name, STOP_GRACE_MILLIS);
    }

    /** The kubectl that was built with the cluster. */
    public Path kubectl() {
        return binaries.find(Program.KUBECTL)
                .orElseThrow(() -> new LocalClusterException(
                        "There is no kubectl in " + binaries.cache().root()
                                + "; `bucketwright local up` builds it, or install one of your own."));
    }

    /** Imports an image, an OCI or Docker archive, into the node, where pods can use it and nothing can pull it. */
    public void importImage(Path archive) {
        long node = supervisor
                .running(Component.NODE.processName())
                .map(ProcessIdentity::pid)
                .orElseThrow(() -> new LocalClusterException("The cluster in " + files.dir() + " has no node to import "
                        + archive + " into; start it with `bucketwright local up --with node`."));
        new NodeImages(files.dir(), node).add(archive);
    }

    public int port(Component component) {
        return state().port(component);
    }

    /** The embedded S3 store, if the cluster has it. */
    public Optional<StoreAccess> s3() {
        return store(StoreKind.S3);
    }

    /** The administrator's access to an object store, if the cluster has it. */
    public Optional<StoreAccess> store(StoreKind kind) {
        return Optional.ofNullable(status().stores().get(kind.text()));
    }

    public ClusterStatus status() {
        ClusterState state = state();
        Map<String, ComponentStatus> components = new LinkedHashMap<>();
        for (Component component : ClusterStart.components(state.additions())) {
            Optional<ProcessIdentity> process = supervisor.running(component.processName());
            components.put(
                    component.processName(),
                    new ComponentStatus(
                            process.isPresent(),
                            process.map(ProcessIdentity::pid).orElse(0L),
                            state.ports().getOrDefault(component, 0),
                            files.log(component).toString()));
        }
        CONTROLLERS.forEach(name -> supervisor
                .running(name)
                .ifPresent(process -> components.put(
                        name,
                        new ComponentStatus(
                                true, process.pid(), 0, files.log(name).toString()))));
        Map<String, StoreAccess> stores = new LinkedHashMap<>();
        state.additions().stream()
                .sorted()
                .flatMap(addOn -> addOn.store().stream())
                .forEach(kind -> kind.access(files.store(kind), state.ports())
                        .ifPresent(access -> stores.put(kind.text(), access)));
        return new ClusterStatus(
                components.values().stream().allMatch(ComponentStatus::running),
                files.dir().toString(),
                kubeconfig().toString(),
                auditLog().toString(),
                components,
                stores);
    }

    /** Stops one component, with SIGTERM, and with SIGKILL after five seconds. */
    public void stop(Component component) {
        supervisor.stop(component.processName(), STOP_GRACE_MILLIS);
    }

    /** Kills one component on the spot. */
    public void kill(Component component) {
        supervisor.stop(component.processName(), 0);
    }

    /** Starts a stopped component again on its old port, and answers when it is ready. */
    public void start(Component component) {
        starter().start(component);
    }

    /** Adds to a cluster that this process started; what it has already stays as it is. */
    public void add(Collection<AddOn> additions) {
        starter().add(additions);
    }

    /** Lets the cluster go on after this JVM; {@link #find} finds it again. */
    public void release() {
        supervisor.release();
        forgetHook();
    }

    /** Stops the cluster, also one that another process started, and removes its files. */
    public void down() {
        try (DirectoryLock _ = DirectoryLock.acquire(files.dir())) {
            supervisor.endAll();
        }
        forgetHook();
    }

    @Override
    public void close() {
        supervisor.close();
        if (start != null) {
            start.close();
        }
        forgetHook();
    }

    /** Servers of another version would find what these wrote to etcd. */
    private static void requireVersion(ClusterFiles files, KubernetesVersion wanted) {
        if (!files.exists()) {
            return;
        }
        KubernetesVersion present = ClusterState.load(files.dir()).kubernetes();
        if (present != wanted) {
            throw new LocalClusterException("The cluster in " + files.dir() + " runs Kubernetes " + present.text()
                    + ", not " + wanted.text() + ". Stop it with `bucketwright local down`, or name another --dir.");
        }
    }

    private ClusterStart starter() {
        if (start == null) {
            throw new IllegalStateException("only the process that started a cluster can start parts of it");
        }
        return start;
    }

    private void endWithJvm() {
        Thread thread = new Thread(supervisor::close, "end-local-cluster");
        Runtime.getRuntime().addShutdownHook(thread);
        hook = thread;
    }

    private void forgetHook() {
        Thread thread = hook;
        hook = null;
        if (thread != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(thread);
            } catch (IllegalStateException alreadyShuttingDown) {
                // Then the hook runs, and finds nothing left to end.
            }
        }
    }

    private ClusterState state() {
        return ClusterState.load(files.dir());
    }

    private static Supervisor supervisor(ClusterFiles files) {
        List<String> stopOrder = Stream.concat(CONTROLLERS.stream(), Component.stopOrder().stream())
                .toList();
        return new Supervisor(files.dir(), ClusterFiles.ENTRIES, stopOrder);
    }
}
