package io.bucketwright.runtime.controller;

/** Carries one step out: one write or one call, idempotent, short. Failures may be thrown. */
@FunctionalInterface
public interface StepAction<S> {

    Outcome act(S step) throws InterruptedException;
}
