package io.bucketwright.volumes.releaser;

import io.bucketwright.volumes.podclaims.ControllerId;

/**
 * What the controller is told.
 *
 * @param automatic whether volumes of claims that our provisioner made are associated by themselves
 * @param scrubNamespace where volumes are emptied; empty if they cannot be
 * @param workers volumes in work at once
 */
public record Settings(ControllerId id, boolean automatic, String scrubNamespace, int workers) {

    public Settings {
        if (workers < 1) {
            throw new IllegalArgumentException("There must be at least one worker, not " + workers);
        }
    }
}
