package io.bucketwright.local;

import io.bucketwright.local.ClusterStatus.StoreAccess;
import io.bucketwright.local.binaries.Binaries;
import io.bucketwright.local.binaries.Program;
import io.bucketwright.local.process.Ports;
import io.bucketwright.local.process.Supervisor;
import io.bucketwright.local.report.LocalClusterException;
import io.bucketwright.local.report.Progress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** An S3 store without a cluster, empty at its start. Closing it, or the end of this JVM, removes it. */
public final class LocalStore implements AutoCloseable {

    private static final List<Component> COMPONENTS = AddOn.S3.components();
    private static final List<String> ENTRIES = List.of("s3", "pids", "logs", "closing");

    private static final long STOP_GRACE_MILLIS = 5_000;

    private final Path dir;
    private final Supervisor supervisor;
    private final Probe probe = Probe.plain();
    private final Map<Component, Integer> chosen = new EnumMap<>(Component.class);
    private final S3Servers servers;
    private final String accessKey = S3Servers.newAccessKey();
    private final String secretKey = S3Servers.newSecretKey();

    private LocalStore(Path dir, Path versitygw) {
        this.dir = dir;
        this.supervisor = new Supervisor(
                dir, ENTRIES, COMPONENTS.stream().map(Component::processName).toList());
        this.servers = new S3Servers(dir.resolve("s3"), versitygw, accessKey, secretKey, probe);
    }

    /** Starts a store in a temporary folder and returns when it is ready. */
    public static LocalStore start() {
        Path versitygw = Binaries.ofThisUser(Progress.silent())
                .provide(List.of(Program.VERSITYGW))
                .values()
                .iterator()
                .next();
        LocalStore store = new LocalStore(createFolder(), versitygw);
        store.supervisor.guard();
        try {
            store.servers.prepare();
            COMPONENTS.forEach(store::start);
            return store;
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /** How its administrator reaches it. */
    public StoreAccess access() {
        return S3Servers.access(chosen, accessKey, secretKey);
    }

    /** Stops one of its servers. */
    public void stop(Component component) {
        supervisor.stop(component.processName(), STOP_GRACE_MILLIS);
    }

    /** Starts one of its servers, on its former port if it has one, and returns when it is ready. */
    public void start(Component component) {
        Server server = component == Component.S3_IAM ? servers.iam() : servers.gateway();
        Path log = dir.resolve("logs").resolve(component.processName() + ".log");
        chosen.put(component, server.start(supervisor, log, () -> Ports.choose(chosen.get(component))));
    }

    @Override
    public void close() {
        supervisor.close();
        probe.close();
    }

    private static Path createFolder() {
        return LocalClusterException.orFail("Cannot create a temporary folder", () -> {
            Path dir = Files.createTempDirectory("bucketwright-s3-");
            Files.createDirectories(dir.resolve("pids"));
            Files.createDirectories(dir.resolve("logs"));
            return dir;
        });
    }
}
