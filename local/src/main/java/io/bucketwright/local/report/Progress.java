package io.bucketwright.local.report;

/** Receives the progress of long steps. Called by the thread that does the work; must not throw. */
public interface Progress {

    /** A step begins that may take longer than a few seconds. */
    void begin(String step);

    /** The step has advanced; {@code total} is an estimate, or 0 if unknown. */
    void advance(String step, int done, int total);

    /** The step is over; {@code outcome} is a short remark such as where a thing was put, or empty. */
    void end(String step, String outcome);

    /** Ignores everything. */
    static Progress silent() {
        return new Progress() {
            @Override
            public void begin(String step) {}

            @Override
            public void advance(String step, int done, int total) {}

            @Override
            public void end(String step, String outcome) {}
        };
    }
}
