package io.bucketwright.volumes.releaser;

import io.bucketwright.volumes.ControllerId;

/**
 * The settings of the releaser.
 *
 * @param automatic whether to associate volumes of claims that the PVC provisioner created
 * @param scrubNamespace the namespace of scrub pods; empty to disable scrubbing
 */
record ReleaserSettings(ControllerId id, boolean automatic, String scrubNamespace) {}
