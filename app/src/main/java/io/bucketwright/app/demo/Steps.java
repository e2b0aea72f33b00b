package io.bucketwright.app.demo;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** Numbers what the demo does, and tells how long each step took. */
final class Steps {

    private final PrintWriter out;
    private int number;
    private long begun;

    Steps(PrintWriter out) {
        this.out = out;
    }

    /** Ends the step before this one. */
    void begin(String title) {
        end();
        number++;
        begun = System.nanoTime();
        out.println(number + ". " + title);
        out.flush();
    }

    void say(String line) {
        out.println("   " + line);
        out.flush();
    }

    void show(String text) {
        text.lines().forEach(line -> say("| " + line));
    }

    void end() {
        if (number > 0) {
            say("(" + sinceBegin() + ")");
        }
    }

    String sinceBegin() {
        long millis = Duration.ofNanos(System.nanoTime() - begun).toMillis();
        return millis < 10_000 ? millis + " ms" : String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
    }
}
