package io.bucketwright.bench.cluster;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.local.process.ProcessIdentity;
import io.bucketwright.local.process.Supervisor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Starts and stops the processes of a bench. They end with this JVM, however it ends, and so does their folder. */
public final class BenchProcesses implements AutoCloseable {

    private static final long GRACE_MILLIS = 30_000;

    /** Everything that is put into the folder. */
    private static final List<String> ENTRIES =
            List.of("pids", "closing", "logs", "users", "volumes", "script.json", "feed.sock", "cosi.sock");

    private final Path folder;
    private final Supervisor supervisor;
    private final List<String> roles;

    private BenchProcesses(Path folder, List<String> roles) {
        this.folder = folder;
        this.roles = List.copyOf(roles);
        this.supervisor = new Supervisor(folder, ENTRIES, roles);
    }

    /**
     * Creates the folder, and a guard that outlives this process.
     *
     * @param roles names of all processes that can be started
     */
    public static BenchProcesses open(List<String> roles) {
        try {
            Path folder = Files.createTempDirectory("bucketwright-bench-");
            for (String entry : List.of("pids", "logs", "users", "volumes")) {
                Files.createDirectory(folder.resolve(entry));
            }
            BenchProcesses processes = new BenchProcesses(folder, roles);
            processes.supervisor.guard();
            return processes;
        } catch (IOException e) {
            throw new CommandException("Cannot create a temporary directory: " + e.getMessage() + ".", e);
        }
    }

    /** A file of the bench. */
    public Path file(String name) {
        return folder.resolve(name);
    }

    /** Starts a process in the environment of this one, with more variables. */
    public BenchProcess start(String role, List<String> command, Map<String, String> environment) {
        Map<String, String> variables = new HashMap<>(environment);
        variables.put("JAVA_HOME", System.getProperty("java.home"));
        Path log = folder.resolve("logs").resolve(role + "-" + System.nanoTime() + ".log");
        long started = System.nanoTime();
        ProcessIdentity identity = supervisor.launch(role, command, variables, log);
        return new BenchProcess(role, identity, started, log);
    }

    /** Sends SIGTERM and waits for the exit, as a rolling update does. */
    public void stop(String role) {
        supervisor.stop(role, GRACE_MILLIS);
    }

    public void stopAll() {
        roles.forEach(this::stop);
    }

    @Override
    public void close() {
        supervisor.close();
    }
}
