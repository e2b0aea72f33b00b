package io.bucketwright.testing;

import io.bucketwright.local.report.Progress;
import java.io.PrintStream;

/** Prints long steps into the test log, so that a first run that builds for minutes does not look stuck. */
final class PrintedProgress implements Progress {

    private static final int PACKAGES_PER_LINE = 250;

    private final PrintStream out;

    PrintedProgress(PrintStream out) {
        this.out = out;
    }

    @Override
    public void begin(String step) {
        out.println("[local cluster] " + step);
    }

    @Override
    public void advance(String step, int done, int total) {
        if (done % PACKAGES_PER_LINE == 0) {
            out.println("[local cluster] " + step + ": " + done + (total > 0 ? " of " + total : ""));
        }
    }

    @Override
    public void end(String step, String outcome) {
        // Steps follow one another; the beginning of the next one shows that this one has ended.
    }
}
