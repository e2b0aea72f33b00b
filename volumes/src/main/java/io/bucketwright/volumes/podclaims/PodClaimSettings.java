package io.bucketwright.volumes.podclaims;

import io.bucketwright.volumes.ControllerId;

/**
 * Settings of the controller.
 *
 * @param namespace the namespace whose pods are served; empty for all
 * @param authorize whether the pod's service account must have the permission to create claims
 * @param workers volumes that are reconciled at once
 */
public record PodClaimSettings(ControllerId id, String namespace, boolean authorize, int workers) {}
