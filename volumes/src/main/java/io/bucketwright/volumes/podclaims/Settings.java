package io.bucketwright.volumes.podclaims;

/**
 * What the controller is told.
 *
 * @param namespace whose pods are served; empty for all
 * @param authorize whether the pod's service account must have the right to create claims
 * @param workers volumes in work at once
 */
public record Settings(ControllerId id, String namespace, boolean authorize, int workers) {

    public Settings {
        if (workers < 1) {
            throw new IllegalArgumentException("There must be at least one worker, not " + workers);
        }
    }
}
