package io.bucketwright.cosi.upstream;

import io.bucketwright.local.binaries.Binaries;
import io.bucketwright.local.binaries.Program;
import io.bucketwright.local.process.Supervisor;
import io.bucketwright.local.report.Progress;
import io.bucketwright.testing.ApiUser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Controller and sidecar of the reference implementation as processes. They end with this JVM at the latest. */
final class UpstreamCosi implements AutoCloseable {

    private static final Duration GRACE = Duration.ofSeconds(20);

    private final Map<Program, Path> programs;
    private final String leaseNamespace;
    private final Path directory;
    private final Supervisor supervisor;

    /**
     * @param leaseNamespace where the processes keep their leases
     * @param folder for logs
     */
    UpstreamCosi(String leaseNamespace, Path folder) {
        List<Program> both = List.of(Program.UPSTREAM_COSI_CONTROLLER, Program.UPSTREAM_COSI_SIDECAR);
        this.programs = Binaries.ofThisUser(Progress.silent()).provide(both);
        this.leaseNamespace = leaseNamespace;
        this.directory = folder.resolve("upstream");
        try {
            Files.createDirectories(directory.resolve("pids"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.supervisor = new Supervisor(
                directory,
                List.of("pids", "closing"),
                both.stream().map(Program::fileName).toList());
        supervisor.guard();
    }

    void startController(ApiUser user) {
        start(Program.UPSTREAM_COSI_CONTROLLER, user);
    }

    void startSidecar(ApiUser user, String driver) {
        start(Program.UPSTREAM_COSI_SIDECAR, user, "--driver-addr=" + driver);
    }

    void stopController() {
        supervisor.stop(Program.UPSTREAM_COSI_CONTROLLER.fileName(), GRACE.toMillis());
    }

    void stopSidecar() {
        supervisor.stop(Program.UPSTREAM_COSI_SIDECAR.fileName(), GRACE.toMillis());
    }

    /** The output of both so far. */
    String log() {
        return String.join("", programs.keySet().stream().map(this::read).toList());
    }

    @Override
    public void close() {
        stopSidecar();
        stopController();
        supervisor.close();
    }

    private void start(Program program, ApiUser user, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Objects.requireNonNull(programs.get(program)).toString(), "--kubeconfig=" + user.kubeconfig(), "-v=3"));
        command.addAll(Arrays.asList(arguments));
        supervisor.launch(program.fileName(), command, Map.of("POD_NAMESPACE", leaseNamespace), logOf(program));
    }

    private Path logOf(Program program) {
        return directory.resolve(program.fileName() + ".log");
    }

    private String read(Program program) {
        try {
            return Files.exists(logOf(program)) ? Files.readString(logOf(program)) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
