package io.bucketwright.bench.cluster;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.bench.measure.ProcessUsage;
import io.bucketwright.local.process.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A process that is measured.
 *
 * @param startedNanos when it was started, by {@link System#nanoTime}
 * @param log what it printed
 */
public record BenchProcess(String role, ProcessIdentity identity, long startedNanos, Path log) {

    private static final int LAST_LINES = 10;

    public long pid() {
        return identity.pid();
    }

    public long cpuMillis() {
        return ProcessUsage.cpuMillis(pid());
    }

    /**
     * Checks that the process runs.
     *
     * @throws CommandException if the process has exited, with the end of its log
     */
    public void requireRunning() {
        if (!identity.running()) {
            throw new CommandException("The process " + role + " has exited. The end of its log:\n" + lastLines());
        }
    }

    public String lastLines() {
        List<String> lines = printed().lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }

    /** Everything that it has printed. */
    public String printed() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new CommandException("The log " + log + " cannot be read: " + e.getMessage() + ".", e);
        }
    }
}
