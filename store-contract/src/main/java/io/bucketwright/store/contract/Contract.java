package io.bucketwright.store.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bucketwright.store.options.Capability;

/** What all parts of the contract share. */
public interface Contract {

    Fixture fixture();

    /** Skips the test if the store does not claim this. */
    default void needs(Capability capability) {
        assumeTrue(fixture().store().capabilities().contains(capability), "the store has no " + capability);
    }

    /** Skips the test if there is nothing to use an application for. */
    default void needsObjects() {
        assumeTrue(fixture().subject().hasObjects(), "the store has no objects");
    }
}
