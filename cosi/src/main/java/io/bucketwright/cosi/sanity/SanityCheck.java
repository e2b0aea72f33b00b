package io.bucketwright.cosi.sanity;

/**
 * One thing that a driver must do.
 *
 * @param id by which it is found again in reports
 * @param title what the driver must do, as a sentence about it
 * @param body asks for it; throws {@link CheckFailed} or {@link CheckSkipped} if it was not done, or cannot be asked
 */
record SanityCheck(String id, String title, Body body) {

    /** What is asked. */
    @FunctionalInterface
    interface Body {
        void ask(SanityClient probe);
    }

    /** The driver did otherwise. */
    static final class CheckFailed extends RuntimeException {
        CheckFailed(String message) {
            super(message);
        }
    }

    /** There is nothing to ask with. */
    static final class CheckSkipped extends RuntimeException {
        CheckSkipped(String reason) {
            super(reason);
        }
    }
}
