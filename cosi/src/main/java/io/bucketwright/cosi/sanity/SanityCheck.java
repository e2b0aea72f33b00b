package io.bucketwright.cosi.sanity;

import java.util.function.Consumer;

/**
 * One rule that a driver must follow.
 *
 * @param id identifies the check in reports
 * @param title the rule, as a sentence about the driver
 * @param body throws {@link CheckFailed} if the driver breaks the rule, {@link CheckSkipped} if that cannot be tested
 */
record SanityCheck(String id, String title, Consumer<SanityClient> body) {

    static SanityCheck check(String id, String title, Consumer<SanityClient> body) {
        return new SanityCheck(id, title, body);
    }

    /**
     * Tests a part of the rule.
     *
     * @throws CheckFailed with this message if the driver breaks it
     */
    static void require(boolean kept, String otherwise) {
        if (!kept) {
            throw new CheckFailed(otherwise);
        }
    }

    /** The driver breaks the rule. */
    static final class CheckFailed extends RuntimeException {
        CheckFailed(String message) {
            super(message);
        }
    }

    /** The options do not allow the test. */
    static final class CheckSkipped extends RuntimeException {
        CheckSkipped(String reason) {
            super(reason);
        }
    }
}
