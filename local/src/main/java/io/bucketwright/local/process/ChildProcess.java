package io.bucketwright.local.process;

import io.bucketwright.local.report.LocalClusterException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Runs a command to its end, line by line, and never lets it outlive this JVM: not even a killed one. */
public final class ChildProcess {

    private final Path directory;
    private final Map<String, String> environment;

    /** @param environment what is set beside what this JVM inherited */
    public ChildProcess(Path directory, Map<String, String> environment) {
        this.directory = directory;
        this.environment = Map.copyOf(environment);
    }

    /** Runs the command, gives each line of its output (errors too) to {@code lines}, and answers its exit code. */
    public int run(List<String> command, Consumer<String> lines) {
        ProcessBuilder builder = new ProcessBuilder(Scripts.TETHER.command(command))
                .directory(directory.toFile())
                .redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new LocalClusterException("Cannot run " + command.getFirst() + ": " + e.getMessage() + ".", e);
        }
        // Leaving this block closes the pipe, and with it ends whatever still runs.
        try (OutputStream _ = process.getOutputStream();
                BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.accept(line);
            }
            return process.waitFor();
        } catch (IOException e) {
            throw new LocalClusterException(
                    "Lost the output of " + command.getFirst() + ": " + e.getMessage() + ".", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LocalClusterException(command.getFirst() + " was interrupted.", e);
        }
    }
}
