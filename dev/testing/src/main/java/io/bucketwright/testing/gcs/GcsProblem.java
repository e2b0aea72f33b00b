package io.bucketwright.testing.gcs;

/** An error response. */
final class GcsProblem extends RuntimeException {

    private final int status;
    private final String reason;

    GcsProblem(int status, String reason, String message) {
        super(message);
        this.status = status;
        this.reason = reason;
    }

    static GcsProblem invalid(String message) {
        return new GcsProblem(400, "invalid", message);
    }

    static GcsProblem notFound(String message) {
        return new GcsProblem(404, "notFound", message);
    }

    static GcsProblem unauthorized() {
        return new GcsProblem(401, "authError", "Invalid Credentials");
    }

    static GcsProblem changed() {
        return new GcsProblem(412, "conditionNotMet", "At least one of the pre-conditions you specified did not hold.");
    }

    int status() {
        return status;
    }

    String reason() {
        return reason;
    }
}
