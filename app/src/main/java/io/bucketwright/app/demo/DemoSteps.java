package io.bucketwright.app.demo;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** Prints the numbered steps of the demo and the time that each took. */
final class DemoSteps {

    private final PrintWriter out;
    private int number;
    private long started;

    DemoSteps(PrintWriter out) {
        this.out = out;
    }

    /** Ends the previous step and starts a new one. */
    void begin(String title) {
        end();
        number++;
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

    void end() {
        if (number > 0) {
            print("(" + sinceBegin() + ")");
        }
    }

    String sinceBegin() {
        long millis = Duration.ofNanos(System.nanoTime() - started).toMillis();
        return millis < 10_000 ? millis + " ms" : String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
    }
}
