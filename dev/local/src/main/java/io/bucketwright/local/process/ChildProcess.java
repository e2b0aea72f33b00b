package io.bucketwright.local.process;

import io.bucketwright.local.report.LocalClusterException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Runs a command to its end, line by line, and never lets it outlive this JVM: not even a killed one.
 *
 * @param environment what is set beside what this JVM inherited
 */
public record ChildProcess(Path directory, Map<String, String> environment) {

    private static final int LAST_LINES = 15;

    /** Runs the command like {@link #run}. If it fails, throws this message and the end of the output. */
    public void require(List<String> command, Consumer<String> lines, IntFunction<String> failure) {
        List<String> output = new ArrayList<>();
        int code = run(command, line -> {
            output.add(line);
            lines.accept(line);
        });
        if (code != 0) {
            List<String> last = output.subList(Math.max(0, output.size() - LAST_LINES), output.size());
            throw new LocalClusterException(
                    failure.apply(code) + " The end of its output:\n  " + String.join("\n  ", last));
        }
    }

    /** Runs the command, gives each line of its output (errors too) to {@code lines}, and answers its exit code. */
    public int run(List<String> command, Consumer<String> lines) {
        ProcessBuilder builder = new ProcessBuilder(Resources.script("tether.sh", command))
                .directory(directory.toFile())
                .redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = LocalClusterException.orFail("Cannot run " + command.getFirst(), builder::start);
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
            throw LocalClusterException.interrupted(command.getFirst() + " was interrupted.", e);
        }
    }
}
