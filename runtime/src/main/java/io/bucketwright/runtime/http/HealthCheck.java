package io.bucketwright.runtime.http;

/** Checks one part of the process. Called on each probe, so it must be fast. */
@FunctionalInterface
public interface HealthCheck {

    Health health();
}
