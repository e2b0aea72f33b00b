package io.bucketwright.cosi.sanity;

import java.time.Duration;

/**
 * The result of one check.
 *
 * @param remark why it failed or was skipped; empty if it passed
 */
public record CheckResult(String id, String title, Verdict verdict, String remark, Duration took) {

    public enum Verdict {
        PASSED,
        FAILED,
        SKIPPED
    }
}
