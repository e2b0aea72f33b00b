package io.bucketwright.store.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bucketwright.store.options.Capability;

/** The base of all parts of the contract. */
public interface Contract {

    Fixture fixture();

    /** Skips the test if the store does not have this capability. */
    default void needs(Capability capability) {
        assumeTrue(fixture().store().capabilities().contains(capability), "the store does not support " + capability);
    }

    /** Skips the test if the store has no objects. */
    default void needsObjects() {
        assumeTrue(fixture().subject().hasObjects(), "the store has no objects");
    }
}
