package io.bucketwright.cosi.sanity;

/** The driver breaks the rule that a check tests. */
public final class CheckFailed extends RuntimeException {

    public CheckFailed(String message) {
        super(message);
    }

    /**
     * Tests a part of the rule.
     *
     * @throws CheckFailed with this message if the driver breaks it
     */
    public static void require(boolean kept, String otherwise) {
        if (!kept) {
            throw new CheckFailed(otherwise);
        }
    }
}
