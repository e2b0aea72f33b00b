package io.bucketwright.runtime.http;

/** Answers whether one part of the process is well. Called on each probe, so it must be quick. */
@FunctionalInterface
public interface HealthCheck {

    Health health();
}
