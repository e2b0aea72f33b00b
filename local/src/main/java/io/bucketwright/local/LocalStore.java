package io.bucketwright.local;

import io.bucketwright.local.ClusterStatus.StoreAccess;
import io.bucketwright.local.binaries.Binaries;
import io.bucketwright.local.binaries.Program;
import io.bucketwright.local.process.Ports;
import io.bucketwright.local.process.Supervisor;
import io.bucketwright.local.report.LocalClusterException;
import io.bucketwright.local.report.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** An S3 store without a cluster, empty at its start. Closing it, or the end of this JVM, removes it. */
public final class LocalStore implements AutoCloseable {

    private static final List<Component> COMPONENTS = List.of(Component.S3_IAM, Component.S3_GATEWAY);
    private static final List<String> ENTRIES = List.of("s3", "pids", "logs", "closing");

    private final Supervisor supervisor;
    private final StoreAccess access;

    private LocalStore(Supervisor supervisor, StoreAccess access) {
        this.supervisor = supervisor;
        this.access = access;
    }

    /** Starts a store in a temporary folder and returns when it is ready. */
    public static LocalStore start() {
        Path versitygw = Optional.ofNullable(Binaries.ofThisUser(Progress.silent())
                        .provide(List.of(Program.VERSITYGW))
                        .get(Program.VERSITYGW))
                .orElseThrow();
        Path dir = createFolder();
        Supervisor supervisor = new Supervisor(
                dir, ENTRIES, COMPONENTS.stream().map(Component::processName).toList());
        supervisor.guard();
        String accessKey = S3Servers.newAccessKey();
        String secretKey = S3Servers.newSecretKey();
        ServerLauncher launcher = new ServerLauncher(supervisor);
        Ports ports = new Ports();
        try (Probe probe = Probe.plain()) {
            S3Servers servers = new S3Servers(dir.resolve("s3"), versitygw, accessKey, secretKey, probe);
            servers.prepare();
            int iam = launcher.start(servers.iam(), dir.resolve("logs/iam.log"), ports::free);
            int gateway = launcher.start(servers.gateway(), dir.resolve("logs/gateway.log"), ports::free);
            return new LocalStore(supervisor, S3Servers.access(gateway, iam, accessKey, secretKey));
        } catch (RuntimeException e) {
            supervisor.close();
            throw e;
        }
    }

    /** How its administrator reaches it. */
    public StoreAccess access() {
        return access;
    }

    @Override
    public void close() {
        supervisor.close();
    }

    private static Path createFolder() {
        try {
            Path dir = Files.createTempDirectory("bucketwright-s3-");
            Files.createDirectories(dir.resolve("pids"));
            Files.createDirectories(dir.resolve("logs"));
            return dir;
        } catch (IOException e) {
            throw new LocalClusterException("Cannot create a temporary folder: " + e.getMessage() + ".", e);
        }
    }
}
