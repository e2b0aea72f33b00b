package io.bucketwright.app.command;

import io.bucketwright.local.report.Progress;
import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;

/**
 * Prints progress to standard error: on a terminal one line that is updated, otherwise a line every ten seconds.
 */
public final class TerminalProgress implements Progress {

    private static final Duration LOG_INTERVAL = Duration.ofSeconds(10);
    private static final Duration TERMINAL_INTERVAL = Duration.ofMillis(200);

    private final PrintStream out;
    private final boolean terminal;
    private long started;
    private long lastPrinted;

    TerminalProgress(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    public static TerminalProgress standard() {
        return new TerminalProgress(
                System.err,
                Optional.ofNullable(System.console())
                        .filter(Console::isTerminal)
                        .isPresent());
    }

    @Override
    public void begin(String step) {
        started = System.nanoTime();
        lastPrinted = started;
        out.print("  " + step + (terminal ? "" : "\n"));
        out.flush();
    }

    @Override
    public void advance(String step, int done, int total) {
        long now = System.nanoTime();
        if (now - lastPrinted < (terminal ? TERMINAL_INTERVAL : LOG_INTERVAL).toNanos()) {
            return;
        }
        lastPrinted = now;
        String amount = total > 0 ? done + " of " + total : Integer.toString(done);
        out.print((terminal ? "\r\033[K  " : "    ") + step + ": " + amount + ", " + seconds() + " s"
                + (terminal ? "" : "\n"));
        out.flush();
    }

    @Override
    public void end(String step) {
        if (terminal) {
            out.println("\r\033[K  " + step + " (" + seconds() + " s)");
        } else if (seconds() >= LOG_INTERVAL.toSeconds()) {
            out.println("    done (" + seconds() + " s)");
        }
    }

    private long seconds() {
        return Duration.ofNanos(System.nanoTime() - started).toSeconds();
    }
}
