package io.bucketwright.local;

import io.bucketwright.local.binaries.PackageSet;
import io.bucketwright.local.binaries.Packages;
import io.bucketwright.local.binaries.Program;
import io.bucketwright.local.pki.CertificateAuthority;
import io.bucketwright.local.process.Ports;
import io.bucketwright.local.process.Supervisor;
import io.bucketwright.local.server.Component;
import io.bucketwright.local.server.Probe;
import io.bucketwright.local.server.Server;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.local.stores.StoreServers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Brings a cluster up: starts what does not run yet, one after the other, each until it is ready. */
final class ClusterStart implements AutoCloseable {

    private static final int ID_DIGITS = 8;

    private final ClusterOptions options;
    private final ClusterFiles files;
    private final Supervisor supervisor;
    private final CertificateAuthority authority;
    private final Map<Program, Path> programs = new EnumMap<>(Program.class);
    private final Probe probe;
    private final Probe plain = Probe.plain();

    ClusterStart(
            ClusterOptions options,
            ClusterFiles files,
            Supervisor supervisor,
            CertificateAuthority authority,
            Map<Program, Path> programs) {
        this.options = options;
        this.files = files;
        this.supervisor = supervisor;
        this.authority = authority;
        this.programs.putAll(programs);
        this.probe = Probe.trusting(authority);
    }

    static List<Program> programs(Collection<AddOn> additions) {
        List<Program> programs = new ArrayList<>(
                List.of(Program.ETCD, Program.KUBE_APISERVER, Program.KUBE_CONTROLLER_MANAGER, Program.KUBECTL));
        additions.stream().map(AddOn::programs).forEach(programs::addAll);
        return programs;
    }

    static List<Component> components(Collection<AddOn> additions) {
        List<Component> components =
                new ArrayList<>(List.of(Component.ETCD, Component.KUBE_APISERVER, Component.KUBE_CONTROLLER_MANAGER));
        additions.stream().sorted().map(AddOn::components).forEach(components::addAll);
        return components;
    }

    void add(Collection<AddOn> more) {
        if (more.contains(AddOn.NODE)) {
            Node.requireMachine();
        }
        programs.putAll(options.binaries().provide(programs(more)));
        ClusterState before = files.exists() ? ClusterState.load(files.dir()) : fresh();
        ClusterState state = before.withAdditions(more);
        state.save(files.dir());
        if (state.additions().contains(AddOn.NODE) && !before.additions().contains(AddOn.NODE)) {
            // With a node it runs more controllers.
            supervisor.stop(Component.KUBE_CONTROLLER_MANAGER.processName(), 0);
        }
        for (Component component : components(state.additions())) {
            start(component);
            if (component == Component.KUBE_APISERVER) {
                files.kubeconfig(
                        authority,
                        files.adminKubeconfig(),
                        ControlPlane.url(port(Component.KUBE_APISERVER)),
                        "admin",
                        List.of("system:masters"));
            }
        }
    }

    /** Starts the component unless it runs, and waits until it is ready. */
    void start(Component component) {
        if (supervisor.running(component.processName()).isPresent()) {
            return;
        }
        String step = "start " + component.processName();
        options.progress().begin(step);
        server(component).start(supervisor, files.log(component), () -> choosePort(component));
        options.progress().end(step);
    }

    private Server server(Component component) {
        ClusterState state = ClusterState.load(files.dir());
        ControlPlane plane = new ControlPlane(files, authority, programs, probe, options.apiServerFlags());
        return switch (component) {
            case ETCD -> plane.etcd();
            case KUBE_APISERVER -> plane.apiServer(port(Component.ETCD));
            case KUBE_CONTROLLER_MANAGER -> plane.controllerManager(port(Component.KUBE_APISERVER), state.additions());
            case KUBE_SCHEDULER -> plane.scheduler(port(Component.KUBE_APISERVER));
            case S3_IAM, S3_GATEWAY -> store(StoreKind.S3).server(component);
            case MINIO -> store(StoreKind.MINIO).server(component);
            case CEPH_MON, CEPH_OSD, RADOSGW -> store(StoreKind.CEPH).server(component);
            case AZURITE -> store(StoreKind.AZURE).server(component);
            case GCS_EMULATOR -> store(StoreKind.GCS).server(component);
            case MOTO -> store(StoreKind.MOTO).server(component);
            case NODE ->
                new Node(files, state, programs, nodePackages(), probe)
                        .server(authority, port(Component.KUBE_APISERVER));
        };
    }

    private StoreServers store(StoreKind kind) {
        return kind.servers(files.store(kind), options.binaries(), plain);
    }

    private Path nodePackages() {
        return new Packages(options.binaries().cache(), options.progress()).provide(PackageSet.NODE);
    }

    private int choosePort(Component component) {
        ClusterState state = ClusterState.load(files.dir());
        int port = Ports.choose(state.ports().get(component));
        state.withPort(component, port).save(files.dir());
        return port;
    }

    private int port(Component component) {
        return ClusterState.load(files.dir()).port(component);
    }

    private ClusterState fresh() {
        return new ClusterState(
                ClusterState.VERSION,
                options.binaries().kubernetes(),
                "bucketwright-" + UUID.randomUUID().toString().substring(0, ID_DIGITS),
                new EnumMap<>(Component.class),
                Set.of());
    }

    @Override
    public void close() {
        probe.close();
        plain.close();
    }
}
