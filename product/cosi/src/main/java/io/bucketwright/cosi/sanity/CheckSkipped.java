package io.bucketwright.cosi.sanity;

/** The driver or the options do not allow the test. */
final class CheckSkipped extends RuntimeException {

    public CheckSkipped(String reason) {
        super(reason);
    }
}
