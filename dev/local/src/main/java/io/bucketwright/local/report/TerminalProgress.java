package io.bucketwright.local.report;

import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Prints progress to standard error: on a terminal one line with a spinner and the elapsed time, which is updated until
 * the step ends; otherwise a line at the begin of a step and then every ten seconds.
 */
public final class TerminalProgress implements Progress {

    private static final Duration LOG_INTERVAL = Duration.ofSeconds(10);
    private static final Duration TICK = Duration.ofMillis(100);
    private static final String SPINNER = "|/-\\";
    private static final String CLEAR = "\r\033[K";

    private final PrintStream out;
    private final boolean terminal;
    private long started;
    private long lastPrinted;
    private int ticks;
    private String text = "";
    private @Nullable Thread ticker;

    public TerminalProgress(PrintStream out, boolean terminal) {
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
    public synchronized void begin(String step) {
        started = System.nanoTime();
        lastPrinted = started;
        text = step;
        if (terminal) {
            startTicker();
        } else {
            out.println("  " + step);
        }
    }

    @Override
    public synchronized void advance(String step, int done, int total) {
        text = step + ": " + (total > 0 ? done + " of " + total : Integer.toString(done));
        long now = System.nanoTime();
        if (!terminal && now - lastPrinted >= LOG_INTERVAL.toNanos()) {
            lastPrinted = now;
            out.println("    " + text + ", " + seconds() + " s");
        }
    }

    @Override
    public void end(String step) {
        stopTicker();
        synchronized (this) {
            if (terminal) {
                out.println(CLEAR + "  " + step + " (" + seconds() + " s)");
            } else if (seconds() >= LOG_INTERVAL.toSeconds()) {
                out.println("    done (" + seconds() + " s)");
            }
        }
    }

    /** Does work that is shown only while it lasts, and only on a terminal. */
    public <T> T during(String what, Supplier<T> work) {
        if (!terminal) {
            return work.get();
        }
        begin(what);
        try {
            return work.get();
        } finally {
            stopTicker();
            out.print(CLEAR);
            out.flush();
        }
    }

    private void startTicker() {
        print();
        ticker = Thread.ofVirtual().name("terminal-progress").start(() -> {
            try {
                while (true) {
                    TimeUnit.NANOSECONDS.sleep(TICK.toNanos());
                    print();
                }
            } catch (InterruptedException ended) {
                // The step has ended.
            }
        });
    }

    private synchronized void print() {
        if (!Thread.currentThread().isInterrupted()) {
            out.print(CLEAR + SPINNER.charAt(ticks % SPINNER.length()) + " " + text
                    + String.format(Locale.ROOT, " %.1f s", (System.nanoTime() - started) / 1e9));
            out.flush();
            ticks++;
        }
    }

    /** After this the ticker prints nothing more. */
    private void stopTicker() {
        Thread running;
        synchronized (this) {
            running = ticker;
            ticker = null;
        }
        if (running != null) {
            running.interrupt();
            boolean interrupted = false;
            while (running.isAlive()) {
                try {
                    running.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private long seconds() {
        return Duration.ofNanos(System.nanoTime() - started).toSeconds();
    }
}
