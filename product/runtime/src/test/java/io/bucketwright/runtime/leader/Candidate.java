package io.bucketwright.runtime.leader;

import io.bucketwright.testing.TestProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A {@link JournalProcess} that the test started, and the signals it can send to it. */
final class Candidate implements AutoCloseable {

    private final String identity;
    private final Process process;
    private final List<String> printed = new CopyOnWriteArrayList<>();

    private Candidate(String identity, Process process) {
        this.identity = identity;
        this.process = process;
    }

    static Candidate start(Path kubeconfig, String namespace, String identity) {
        try {
            Process process = TestProcess.start(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-Xmx96m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            JournalProcess.class.getName(),
                            kubeconfig.toString(),
                            namespace,
                            identity)
                    .redirectError(ProcessBuilder.Redirect.INHERIT));
            Candidate candidate = new Candidate(identity, process);
            Thread.ofVirtual().start(candidate::listen);
            return candidate;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String identity() {
        return identity;
    }

    /** Whether it leads, as it last printed. */
    boolean leads() {
        return !printed.isEmpty() && printed.getLast().startsWith("LEADS");
    }

    /** When it last noticed a change of leadership. */
    Instant since() {
        return Instant.parse(printed.getLast().split(" ", 2)[1]);
    }

    void freeze() {
        signal("STOP");
    }

    void thaw() {
        signal("CONT");
    }

    void kill() {
        signal("KILL");
        awaitEnd();
    }

    void terminate() {
        signal("TERM");
        awaitEnd();
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            process.destroyForcibly();
            awaitEnd();
        }
    }

    private void signal(String name) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill -" + name + " of " + identity + " ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException(identity + " did not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void listen() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            // There may be log lines too.
            output.lines()
                    .filter(line -> line.startsWith("LEADS ") || line.startsWith("FOLLOWS "))
                    .forEach(printed::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
