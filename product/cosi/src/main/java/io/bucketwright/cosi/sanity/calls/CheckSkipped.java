package io.bucketwright.cosi.sanity.calls;

/** The driver or the options do not allow the test. */
public final class CheckSkipped extends RuntimeException {

    public CheckSkipped(String reason) {
        super(reason);
    }
}
