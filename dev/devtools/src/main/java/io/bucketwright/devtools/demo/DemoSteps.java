package io.bucketwright.devtools.demo;

import io.bucketwright.local.report.TerminalProgress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;

/** Prints the numbered steps of the demo and the time that each took. */
final class DemoSteps {

    private final PrintWriter out;
    private final TerminalProgress progress;
    private int number;
    private String title = "";
    private long started;

    DemoSteps(PrintWriter out, TerminalProgress progress) {
        this.out = out;
        this.progress = progress;
    }

    /** Shows steps of starting the cluster. */
    TerminalProgress progress() {
        return progress;
    }

    /** Ends the previous step and starts a new one. */
    void begin(String step) {
        end();
        number++;
        title = step;
        started = System.nanoTime();
        out.println(number + ". " + title);
        out.flush();
    }

    void print(String line) {
        out.println("   " + line);
        out.flush();
    }

    void show(String text) {
        text.lines().forEach(line -> print("| " + line));
    }

    /** Waits; a terminal shows for what and for how long. */
    <T> T waitFor(String what, Supplier<T> wait) {
        return progress.during("  waiting for " + what, wait);
    }

    void end() {
        if (number > 0) {
            print("(" + sinceBegin() + ")");
        }
    }

    /** The current step, for a message. */
    String current() {
        return "step " + number + ", \"" + title + "\"";
    }

    String sinceBegin() {
        long millis = Duration.ofNanos(System.nanoTime() - started).toMillis();
        return millis < 10_000 ? millis + " ms" : String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
    }
}
