package io.bucketwright.bench.measure;

import io.bucketwright.app.command.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a process has used up to now.
 *
 * @param cpuMillis user and system time of all its threads
 * @param residentKib resident memory (RSS)
 * @param proportionalKib resident memory, with shared pages divided among the processes that share them (PSS)
 */
public record ProcessUsage(long cpuMillis, long residentKib, long proportionalKib) {

    /** Linux reports times to user space in hundredths of a second on all its platforms. */
    private static final long MILLIS_PER_TICK = 10;

    private static final int USER_TIME = 11;
    private static final int SYSTEM_TIME = 12;

    /** Reads both times and memory from /proc. */
    public static ProcessUsage of(long pid) {
        Path proc = Path.of("/proc", Long.toString(pid));
        String memory = read(proc.resolve("smaps_rollup"));
        return new ProcessUsage(cpuMillis(pid), kib(memory, "Rss"), kib(memory, "Pss"));
    }

    /** Only the time: reading the memory of a process takes it milliseconds. */
    public static long cpuMillis(long pid) {
        return parseCpuMillis(read(Path.of("/proc", Long.toString(pid), "stat")));
    }

    static long parseCpuMillis(String stat) {
        // The command name stands in brackets and may contain anything.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).trim().split(" ", -1);
        return (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[SYSTEM_TIME])) * MILLIS_PER_TICK;
    }

    /** A line such as {@code Rss:  1234 kB}. */
    static long kib(String text, String field) {
        Matcher matcher = Pattern.compile("(?m)^" + field + ":\\s+(\\d+) kB$").matcher(text);
        if (!matcher.find()) {
            throw new CommandException("This kernel does not report " + field + " of a process.");
        }
        return Long.parseLong(matcher.group(1));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new CommandException("A process that is measured has exited: " + file + " cannot be read.", e);
        }
    }
}
