package io.bucketwright.app;

import io.bucketwright.local.report.Progress;
import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;

/**
 * Progress for people: on a terminal one line that moves, elsewhere a line now and then. Goes to standard error, so that
 * what a command prints can be piped.
 */
public final class TerminalProgress implements Progress {

    private static final Duration SELDOM = Duration.ofSeconds(10);
    private static final Duration OFTEN = Duration.ofMillis(200);

    private final PrintStream out;
    private final boolean terminal;
    private long begun;
    private long printed;

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
        begun = System.nanoTime();
        printed = begun;
        out.print("  " + step + (terminal ? "" : "\n"));
        out.flush();
    }

    @Override
    public void advance(String step, int done, int total) {
        long now = System.nanoTime();
        if (now - printed < (terminal ? OFTEN : SELDOM).toNanos()) {
            return;
        }
        printed = now;
        String amount = total > 0 ? done + " of " + total : Integer.toString(done);
        out.print((terminal ? "\r\033[K  " : "    ") + step + ": " + amount + ", " + seconds() + " s"
                + (terminal ? "" : "\n"));
        out.flush();
    }

    @Override
    public void end(String step, String outcome) {
        String remark = outcome.isEmpty() ? "" : ": " + outcome;
        if (terminal) {
            out.println("\r\033[K  " + step + remark + " (" + seconds() + " s)");
        } else if (seconds() >= SELDOM.toSeconds() || !remark.isEmpty()) {
            out.println("    done" + remark + " (" + seconds() + " s)");
        }
    }

    private long seconds() {
        return Duration.ofNanos(System.nanoTime() - begun).toSeconds();
    }
}
