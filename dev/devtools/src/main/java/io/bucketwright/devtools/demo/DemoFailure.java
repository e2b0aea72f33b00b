package io.bucketwright.devtools.demo;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.local.report.LocalClusterException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A step of the demo that failed. Its message has the step, the cause, the last lines of the logs of the controllers, and
 * where the logs are.
 *
 * @param step as in a sentence
 * @param cause of the failure
 * @param first logs to read first
 */
record DemoFailure(String step, RuntimeException cause, List<Path> first) {

    private static final int LINES = 10;
    private static final String STACK_TRACE = "demo.log";

    /** The failure of a step that has no logs of its own. */
    CommandException withoutLogs() {
        return new CommandException(headline(), cause);
    }

    /**
     * The failure with the logs in this folder.
     *
     * @param logs where they are and stay; the stack trace of an unexpected exception is written beside them
     */
    CommandException withLogs(Path logs) {
        StringBuilder text = new StringBuilder(headline());
        for (Path log : first) {
            Path kept = logs.resolve(log.getFileName());
            text.append("\nThe last lines of ").append(kept).append(":");
            tail(kept).forEach(line -> text.append("\n    ").append(line));
        }
        text.append("\nThe logs of all processes are in ").append(logs).append(".");
        if (!isExpected()) {
            writeStackTrace(logs.resolve(STACK_TRACE));
            text.append(" The stack trace is in ").append(STACK_TRACE).append("; please report it.");
        }
        return new CommandException(text.toString(), cause);
    }

    /** Copies logs to a new temporary folder that is not deleted with the cluster. */
    static Path copy(Path logs) {
        try (Stream<Path> files = Files.list(logs)) {
            Path copy = Files.createTempDirectory("bucketwright-demo-logs-");
            for (Path log : files.filter(Files::isRegularFile).toList()) {
                Files.copy(log, copy.resolve(log.getFileName()));
            }
            return copy;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot copy the logs in " + logs, e);
        }
    }

    private String headline() {
        String message = isExpected() ? String.valueOf(cause.getMessage()) : cause.toString();
        return "The demo failed in " + step + ": " + message;
    }

    private boolean isExpected() {
        return cause instanceof CommandException || cause instanceof LocalClusterException;
    }

    private void writeStackTrace(Path file) {
        try (PrintWriter writer = new PrintWriter(Files.newBufferedWriter(file))) {
            cause.printStackTrace(writer);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    private static List<String> tail(Path log) {
        try {
            List<String> lines = Files.readAllLines(log);
            return lines.isEmpty()
                    ? List.of("(empty)")
                    : lines.subList(Math.max(0, lines.size() - LINES), lines.size());
        } catch (IOException e) {
            return List.of("(cannot be read: " + e.getMessage() + ")");
        }
    }
}
