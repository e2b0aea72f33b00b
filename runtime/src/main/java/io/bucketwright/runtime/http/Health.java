package io.bucketwright.runtime.http;

/** The result of a {@link HealthCheck}. */
public sealed interface Health {

    /** The check passed. */
    record Well() implements Health {}

    /** The check failed, and why. */
    record Unwell(String reason) implements Health {}

    static Health well() {
        return new Well();
    }

    static Health unwell(String reason) {
        return new Unwell(reason);
    }
}
