package io.bucketwright.app.controller;

import io.bucketwright.volumes.podclaims.ControllerId;

/**
 * What the roles about volumes are told.
 *
 * @param id that provisioner and releaser share
 * @param authorize whether a pod's service account must have the right to create claims
 * @param automatic whether volumes of pods' claims are associated by themselves
 * @param scrubNamespace where volumes are emptied; empty if they cannot be
 */
public record VolumeOptions(ControllerId id, boolean authorize, boolean automatic, String scrubNamespace) {

    static VolumeOptions standard() {
        return new VolumeOptions(new ControllerId("bucketwright"), false, true, "");
    }

    io.bucketwright.volumes.podclaims.Settings podClaims(String namespace, int workers) {
        return new io.bucketwright.volumes.podclaims.Settings(id, namespace, authorize, workers);
    }

    io.bucketwright.volumes.releaser.Settings releaser(int workers) {
        return new io.bucketwright.volumes.releaser.Settings(id, automatic, scrubNamespace, workers);
    }
}
