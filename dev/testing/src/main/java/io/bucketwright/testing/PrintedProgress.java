package io.bucketwright.testing;

import io.bucketwright.local.report.Progress;
import java.io.PrintStream;

/** Prints long steps into the test log, so that a first run that builds for minutes does not look stuck. The end of a step is the beginning of the next one. */
record PrintedProgress(PrintStream out) implements Progress {

    private static final int PACKAGES_PER_LINE = 250;

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
}
