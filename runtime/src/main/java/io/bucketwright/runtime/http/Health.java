package io.bucketwright.runtime.http;

/** The answer of a {@link HealthCheck}. */
public sealed interface Health {

    /** All is well. */
    record Well() implements Health {}

    /** Not well, and why. */
    record Unwell(String reason) implements Health {}

    static Health well() {
        return new Well();
    }

    static Health unwell(String reason) {
        return new Unwell(reason);
    }
}
