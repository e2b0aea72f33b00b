package io.bucketwright.local.report;

/** Receives the progress of long steps. Called by the thread that does the work; must not throw. */
public interface Progress {

    /** A step begins that may take longer than a few seconds. */
    default void begin(String step) {}

    /** The step has advanced; {@code total} is an estimate, or 0 if unknown. */
    default void advance(String step, int done, int total) {}

    default void end(String step) {}

    /** Ignores everything. */
    static Progress silent() {
        return new Progress() {};
    }
}
