package io.bucketwright.local.report;

/** Hears what is being done and how far it is. Called from the thread that does the work; must not throw. */
public interface Progress {

    /** A step begins that may take longer than a few seconds. */
    void begin(String step);

    /** The step has come so far; {@code total} is an estimate and 0 where nobody knows. */
    void advance(String step, int done, int total);

    /** The step is over; {@code outcome} is a short remark such as where a thing was put, or empty. */
    void end(String step, String outcome);

    /** Hears and says nothing. */
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
