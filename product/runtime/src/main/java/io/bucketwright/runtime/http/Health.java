package io.bucketwright.runtime.http;

/**
 * The result of a health check.
 *
 * @param problem why the check failed; empty if it passed
 */
public record Health(String problem) {

    public static Health healthy() {
        return new Health("");
    }

    public static Health unhealthy(String problem) {
        return new Health(problem);
    }

    boolean isHealthy() {
        return problem.isEmpty();
    }
}
