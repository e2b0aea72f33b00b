package io.bucketwright.local.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Identifies a process by its pid and its start time. The pid alone may have been reused by a process that is not
 * ours to stop.
 *
 * @param pid the process id
 * @param startTime field 22 of {@code /proc/<pid>/stat}, in clock ticks since boot
 */
public record ProcessIdentity(long pid, long startTime) {

    private static final int FIELDS_BEFORE_STATE = 2;
    private static final int START_TIME_FIELD = 22;

    public ProcessIdentity {
        if (pid <= 1) {
            throw new IllegalArgumentException("not a process of ours: pid " + pid);
        }
    }

    /** Reads the record that {@code launch.sh} left; empty where the component was never started or is stopped. */
    public static Optional<ProcessIdentity> read(Path record) throws IOException {
        if (!Files.exists(record)) {
            return Optional.empty();
        }
        String[] fields = Files.readString(record).trim().split(" ", -1);
        if (fields.length != 2) {
            throw new IOException(record + " does not hold a process id and a start time");
        }
        return Optional.of(new ProcessIdentity(Long.parseLong(fields[0]), Long.parseLong(fields[1])));
    }

    /** Whether that very process still runs. A zombie does not. */
    public boolean running() {
        String stat;
        try {
            stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        } catch (IOException exited) {
            return false;
        }
        // The command name stands in brackets and may hold anything, spaces and brackets too.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return !fields[0].equals("Z")
                && Long.parseLong(fields[START_TIME_FIELD - FIELDS_BEFORE_STATE - 1]) == startTime;
    }
}
