package io.bucketwright.local.stores;

import io.bucketwright.local.binaries.Binaries;
import io.bucketwright.local.process.Ports;
import io.bucketwright.local.process.Supervisor;
import io.bucketwright.local.report.LocalClusterException;
import io.bucketwright.local.report.Progress;
import io.bucketwright.local.server.Component;
import io.bucketwright.local.server.Probe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** An object store without a cluster, empty at its start. Closing it, or the end of this JVM, removes it. */
public final class LocalStore implements AutoCloseable {

    private static final long STOP_GRACE_MILLIS = 5_000;

    private final Path dir;
    private final StoreKind kind;
    private final Supervisor supervisor;
    private final Probe probe;
    private final StoreServers servers;
    private final Map<Component, Integer> ports = new EnumMap<>(Component.class);

    private LocalStore(Path dir, StoreKind kind, StoreServers servers, Probe probe) {
        this.dir = dir;
        this.kind = kind;
        this.supervisor = new Supervisor(
                dir,
                List.of(kind.text(), "pids", "logs", "closing"),
                kind.components().reversed().stream()
                        .map(Component::processName)
                        .toList());
        this.probe = probe;
        this.servers = servers;
    }

    /** Starts an S3 store with the AWS IAM API in a temporary folder and returns when it is ready. */
    public static LocalStore start() {
        return start(StoreKind.S3);
    }

    /** Starts a store in a temporary folder and returns when it is ready. */
    public static LocalStore start(StoreKind kind) {
        return start(kind, Progress.silent());
    }

    /**
     * Starts a store in a temporary folder and returns when it is ready.
     *
     * @param progress receives the progress of a build or a download, if its programs are not cached
     */
    public static LocalStore start(StoreKind kind, Progress progress) {
        Probe probe = Probe.plain();
        Path dir = createFolder(kind);
        LocalStore store = new LocalStore(
                dir, kind, kind.servers(dir.resolve(kind.text()), Binaries.ofThisUser(progress), probe), probe);
        store.supervisor.guard();
        try {
            kind.components().forEach(store::start);
            return store;
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /** Where it keeps its state; removed when it is closed. */
    public Path dir() {
        return dir;
    }

    /** How its administrator reaches it. */
    public StoreAccess access() {
        return kind.access(dir.resolve(kind.text()), ports)
                .orElseThrow(() -> new IllegalStateException(kind + " was not started"));
    }

    /** Stops one of its servers. */
    public void stop(Component component) {
        supervisor.stop(component.processName(), STOP_GRACE_MILLIS);
    }

    /** Starts one of its servers, on its former port if it has one, and returns when it is ready. */
    public void start(Component component) {
        Path log = dir.resolve("logs").resolve(component.processName() + ".log");
        ports.put(
                component, servers.server(component).start(supervisor, log, () -> Ports.choose(ports.get(component))));
    }

    @Override
    public void close() {
        supervisor.close();
        probe.close();
    }

    private static Path createFolder(StoreKind kind) {
        return LocalClusterException.orFail("Cannot create a temporary folder", () -> {
            Path dir = Files.createTempDirectory("bucketwright-" + kind.text() + "-");
            Files.createDirectories(dir.resolve(kind.text()));
            Files.createDirectories(dir.resolve("pids"));
            Files.createDirectories(dir.resolve("logs"));
            return dir;
        });
    }
}
