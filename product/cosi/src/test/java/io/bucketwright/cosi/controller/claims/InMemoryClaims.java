package io.bucketwright.cosi.controller.claims;

import io.bucketwright.runtime.testing.InMemoryProcess;

/** The controller of BucketClaims in a process in memory. */
public final class InMemoryClaims {

    private InMemoryClaims() {}

    public static void register(InMemoryProcess process) {
        BucketClaimController.register(process.context(), 1);
    }
}
