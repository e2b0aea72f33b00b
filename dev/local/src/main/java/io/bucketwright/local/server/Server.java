package io.bucketwright.local.server;

import io.bucketwright.local.process.ProcessIdentity;
import io.bucketwright.local.process.Supervisor;
import io.bucketwright.local.report.LocalClusterException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;

/**
 * A component that serves a port.
 *
 * @param command the program and its arguments, given the port
 * @param environment what is set for it beside what is inherited
 * @param ready whether the server on this port is ready
 */
public record Server(
        Component component, IntFunction<List<String>> command, Map<String, String> environment, IntPredicate ready) {

    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final int PORT_TRIES = 5;
    private static final int LOG_LINES = 12;

    /** How the C library, Go, Node.js and MinIO say it. */
    private static final Pattern PORT_TAKEN =
            Pattern.compile("address already in use|EADDRINUSE|port is already in use", Pattern.CASE_INSENSITIVE);

    /**
     * Starts the server and waits until it is ready; if its port was taken between the choice and the start, on another port.
     *
     * @param log where its output goes
     * @param port chooses a port
     * @return the port it serves
     */
    public int start(Supervisor supervisor, Path log, IntSupplier port) {
        int chosen = port.getAsInt();
        for (int i = 1; !isStarted(supervisor, log, chosen, i == PORT_TRIES); i++) {
            chosen = port.getAsInt();
        }
        return chosen;
    }

    private boolean isStarted(Supervisor supervisor, Path log, int port, boolean last) {
        String name = component.processName();
        long logged = log.toFile().length();
        ProcessIdentity process = supervisor.launch(name, command.apply(port), environment, log);
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (process.running()) {
            if (ready.test(port)) {
                return true;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new LocalClusterException(name + " runs but is not ready after " + TIMEOUT.toMinutes()
                        + " minutes. The end of its log:\n" + tail(log, logged));
            }
            LocalClusterException.sleep(50, "Interrupted while the cluster starts.");
        }
        String output = tail(log, logged);
        if (!last && PORT_TAKEN.matcher(output).find()) {
            return false;
        }
        throw new LocalClusterException(name + " exited during startup. The end of its log:\n" + output);
    }

    private static String tail(Path log, long from) {
        try (InputStream content = Files.newInputStream(log)) {
            content.skipNBytes(Math.min(from, Files.size(log)));
            List<String> lines = new String(content.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()))
                    + "\n(whole log: " + log + ")";
        } catch (IOException e) {
            return "(its log " + log + " cannot be read: " + e.getMessage() + ")";
        }
    }
}
