package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.testing.ApiUser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A process of the installed command. */
final class Installed implements AutoCloseable {

    private static final String IDENTITY = "HOSTNAME";

    private final Process process;
    private final Path log;
    private final String name;

    private Installed(Process process, Path log, String name) {
        this.process = process;
        this.log = log;
        this.name = name;
    }

    /** Starts {@code bucketwright controller --only=buckets} as that user; the name is how its lease begins. */
    static Installed controller(ApiUser user, Path folder, String name, String... more) {
        List<String> words = new ArrayList<>(List.of(
                "target/dist/bin/bucketwright",
                "controller",
                "--log-format=json",
                "--only=buckets",
                "--lease-namespace=bucketwright",
                "--lease-seconds=3",
                // Measuring is spread over time and would be counted as calls to the store.
                "--usage-every=0s",
                "--kubeconfig=" + user.kubeconfig()));
        words.addAll(List.of(more));
        Path log = folder.resolve(name + ".log");
        ProcessBuilder builder =
                new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put(IDENTITY, name);
        try {
            return new Installed(builder.start(), log, name).awaitStarted();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs the command to its end and gives what it printed; fails unless it succeeds. */
    static String run(Path folder, String... words) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of("target/dist/bin/bucketwright"));
        all.addAll(List.of(words));
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
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }

    /** As a rolling update ends it. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(name + " did not end:\n" + log());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }

    private Installed awaitStarted() {
        Awaitility.await(name + " to start")
                .atMost(Duration.ofSeconds(60))
                .until(() -> log().contains("Started") || !process.isAlive());
        assertThat(process.isAlive()).as(() -> name + " ended: " + log()).isTrue();
        return this;
    }
}
