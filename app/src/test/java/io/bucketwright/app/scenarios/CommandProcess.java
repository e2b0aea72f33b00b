package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of the installed command. */
final class CommandProcess implements AutoCloseable {

    private static final String EXECUTABLE = "target/dist/bin/bucketwright";
    private static final String IDENTITY = "HOSTNAME";

    private final Process process;
    private final Path log;
    private final String name;

    private CommandProcess(Process process, Path log, String name) {
        this.process = process;
        this.log = log;
        this.name = name;
    }

    /**
     * Starts {@code bucketwright controller} with one role.
     *
     * @param leases the namespace of its lease
     * @param name how its identity in the lease begins
     */
    static CommandProcess role(String role, ApiUser user, String leases, Path folder, String name, List<String> more) {
        List<String> arguments = new ArrayList<>(List.of(
                EXECUTABLE,
                "controller",
                "--log-format=json",
                "--only=" + role,
                "--lease-namespace=" + leases,
                "--lease-duration=3s",
                // Measuring is spread over time and would be counted as calls to the store.
                "--usage-interval=0s",
                "--kubeconfig=" + user.kubeconfig()));
        arguments.addAll(more);
        Path log = folder.resolve(name + ".log");
        ProcessBuilder builder =
                new ProcessBuilder(arguments).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put(IDENTITY, name);
        try {
            return new CommandProcess(builder.start(), log, name).awaitStarted();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a command and returns its output; fails unless it succeeds. */
    static String run(Path folder, String... arguments) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of(EXECUTABLE));
        all.addAll(List.of(arguments));
        Path output = folder.resolve("run-" + System.nanoTime() + ".log");
        ProcessBuilder builder =
                new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        try {
            Process process = builder.start();
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
            String printed = Files.readString(output);
            assertThat(process.exitValue()).as(printed).isZero();
            return printed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String name() {
        return name;
    }

    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@code kill -9}. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }

    /** Sends SIGTERM, as a rolling update does, and waits for the exit. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(name + " did not exit:\n" + log());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }

    private CommandProcess awaitStarted() {
        Eventually.await(name + " to start").until(() -> log().contains("Started") || !process.isAlive());
        assertThat(process.isAlive()).as(() -> name + " exited: " + log()).isTrue();
        return this;
    }
}
