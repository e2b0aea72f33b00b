package io.bucketwright.local.process;

import io.bucketwright.local.report.LocalClusterException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Starts and ends the processes of one cluster. Each runs in a session of its own and leaves its identity in
 * {@code pids/}; a guard process holds the other end of a pipe from this JVM and ends all of them, in order, when the
 * pipe closes: by {@link #close}, by the JVM's exit, or because it was killed.
 */
public final class Supervisor implements AutoCloseable {

    private static final List<String> PROXY_VARIABLES =
            List.of("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy");

    private final Path dir;
    private final List<String> entries;
    private final List<String> stopOrder;
    private @Nullable Process guard;

    /**
     * @param dir where the cluster keeps its state
     * @param entries what stands in {@code dir} and is removed when the cluster ends; nothing else is
     * @param stopOrder names of components, first to stop first
     */
    public Supervisor(Path dir, List<String> entries, List<String> stopOrder) {
        this.dir = dir;
        this.entries = List.copyOf(entries);
        this.stopOrder = List.copyOf(stopOrder);
    }

    /** From here on the processes end with this JVM. */
    public synchronized void guard() {
        if (guard == null) {
            guard = startGuard(ProcessBuilder.Redirect.PIPE);
        }
    }

    /** Starts a component that writes its output to {@code log}. Returns once the process has written its identity. */
    public ProcessIdentity launch(String name, List<String> command, Map<String, String> environment, Path log) {
        if (!stopOrder.contains(name)) {
            throw new IllegalArgumentException(name + " has no place in the order of stopping");
        }
        List<String> arguments = new ArrayList<>(List.of(dir.toString(), name));
        arguments.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(Resources.script("launch.sh", arguments))
                .directory(dir.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        // Every server of a local cluster is on this machine.
        builder.environment().keySet().removeAll(PROXY_VARIABLES);
        builder.environment()
                .putAll(Map.of("NO_PROXY", "127.0.0.1,localhost,::1", "no_proxy", "127.0.0.1,localhost,::1"));
        builder.environment().putAll(environment);
        try {
            Files.deleteIfExists(record(name));
            Process process = builder.start();
            while (process.isAlive() && ProcessIdentity.read(record(name)).isEmpty()) {
                LocalClusterException.sleep(2, "Interrupted while starting " + name + ".");
            }
            return ProcessIdentity.read(record(name))
                    .orElseThrow(() -> new LocalClusterException(name + " could not be started; see " + log + "."));
        } catch (IOException e) {
            throw new LocalClusterException("Cannot start " + name + ": " + e.getMessage() + ".", e);
        }
    }

    /** The component's process, if it was started and still runs. */
    public Optional<ProcessIdentity> running(String name) {
        return LocalClusterException.orFail(
                        "Cannot read which process " + name + " is", () -> ProcessIdentity.read(record(name)))
                .filter(ProcessIdentity::running);
    }

    /** Stops one component: politely, and after the grace without asking. */
    public void stop(String name, long graceMillis) {
        Optional<ProcessHandle> handle = running(name).flatMap(process -> ProcessHandle.of(process.pid()));
        if (handle.isEmpty()) {
            return;
        }
        var end = handle.get().onExit();
        if (graceMillis > 0) {
            handle.get().destroy();
        }
        if (graceMillis <= 0 || !await(end, graceMillis)) {
            handle.get().destroyForcibly();
            if (!await(end, TimeUnit.SECONDS.toMillis(10))) {
                throw new LocalClusterException(name + " (pid " + handle.get().pid() + ") does not end.");
            }
        }
    }

    /** Lets the processes go on without this JVM; from now on only {@link #endAll} of a later one ends them. */
    public synchronized void release() {
        if (guard == null) {
            return;
        }
        try (OutputStream pipe = guard.getOutputStream()) {
            pipe.write("release\n".getBytes(StandardCharsets.UTF_8));
            pipe.flush();
        } catch (IOException e) {
            throw new LocalClusterException("The guard of " + dir + " has exited, so the cluster was removed.", e);
        }
        awaitGuard(guard);
        guard = null;
    }

    /** Ends every process of the cluster and removes its files, including those another JVM started. */
    public synchronized void endAll() {
        if (guard != null) {
            close();
            return;
        }
        awaitGuard(startGuard(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile())));
    }

    @Override
    public synchronized void close() {
        if (guard == null) {
            return;
        }
        Process ending = guard;
        guard = null;
        try {
            ending.getOutputStream().close();
        } catch (IOException e) {
            throw new LocalClusterException("Cannot signal the guard of " + dir + " to stop the cluster.", e);
        }
        awaitGuard(ending);
    }

    private Process startGuard(ProcessBuilder.Redirect input) {
        List<String> arguments = new ArrayList<>(List.of(dir.toString(), String.join(" ", entries)));
        arguments.addAll(stopOrder);
        // Not in the cluster's own folder, which it removes.
        ProcessBuilder builder = new ProcessBuilder(Resources.script("guard.sh", arguments))
                .directory(Path.of("/").toFile())
                .redirectInput(input)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        return LocalClusterException.orFail("Cannot start the guard of " + dir, builder::start);
    }

    private void awaitGuard(Process process) {
        try {
            if (process.waitFor() != 0) {
                throw new LocalClusterException("Not every process of the cluster in " + dir + " could be ended.");
            }
        } catch (InterruptedException e) {
            throw LocalClusterException.interrupted(
                    "Interrupted while waiting for the cluster in " + dir + " to stop. It stops in the background.", e);
        }
    }

    private static boolean await(CompletableFuture<?> end, long millis) {
        return end.thenApply(_ -> true)
                .completeOnTimeout(false, millis, TimeUnit.MILLISECONDS)
                .join();
    }

    private Path record(String name) {
        return dir.resolve("pids").resolve(name);
    }
}
