package io.bucketwright.local;

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
import java.util.function.IntSupplier;

/** Starts a server and waits until it is ready. */
record ServerLauncher(Supervisor supervisor) {

    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final int PORT_TRIES = 5;
    private static final int LOG_LINES = 12;

    /**
     * Starts the server; if its port was taken between the choice and the start, on another port.
     *
     * @param log where its output goes
     * @param port chooses a port
     * @return the port it serves
     */
    int start(Server server, Path log, IntSupplier port) {
        int chosen = port.getAsInt();
        for (int i = 1; !isStarted(server, log, chosen, i == PORT_TRIES); i++) {
            chosen = port.getAsInt();
        }
        return chosen;
    }

    private boolean isStarted(Server server, Path log, int port, boolean last) {
        String name = server.component().processName();
        long logged = log.toFile().length();
        ProcessIdentity process = supervisor.launch(name, server.command().apply(port), server.environment(), log);
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (process.running()) {
            if (server.ready().test(port)) {
                return true;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new LocalClusterException(name + " runs but is not ready after " + TIMEOUT.toMinutes()
                        + " minutes. The end of its log:\n" + tail(log, logged));
            }
            LocalClusterException.sleep(50, "Interrupted while the cluster starts.");
        }
        String output = tail(log, logged);
        if (!last && output.contains("address already in use")) {
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
