package io.bucketwright.volumes.releaser;

import io.bucketwright.volumes.ControllerId;

/**
 * The settings of the releaser.
 *
 * @param automatic whether to associate volumes of claims that the PVC provisioner created
 * @param scrubNamespace the namespace of scrub pods; empty to disable scrubbing
 * @param workers the number of volumes that are reconciled in parallel
 */
record ReleaserSettings(ControllerId id, boolean automatic, String scrubNamespace, int workers) {

    public ReleaserSettings {
        if (workers < 1) {
            throw new IllegalArgumentException("workers must be at least 1, but is " + workers);
        }
    }
}
