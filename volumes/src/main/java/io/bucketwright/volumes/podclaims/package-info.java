/**
 * Claims that pods ask for by annotation. A Pending pod says which of its volumes wants a claim and what it looks like;
 * the claim is made under the name the volume mentions, belongs to the pod, and is collected with it.
 *
 * <p>{@link io.bucketwright.volumes.podclaims.ClaimDecision} holds all rules. One key is one volume of one pod, so that a
 * volume that cannot be had does not keep the pod's others waiting. Whatever a pod's author wrote is hostile until {@link
 * io.bucketwright.volumes.podclaims.ClaimTemplate} has read it.
 */
@NullMarked
package io.bucketwright.volumes.podclaims;

import org.jspecify.annotations.NullMarked;
