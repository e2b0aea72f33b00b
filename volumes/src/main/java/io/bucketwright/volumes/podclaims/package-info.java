/**
 * Creates PersistentVolumeClaims that pods request by annotation. A Pending pod names in its annotations the volumes that
 * need a claim, and how the claim looks. The controller creates the claim under the name that the volume refers to; the pod
 * owns it, and the garbage collector deletes it with the pod.
 *
 * <p>{@link io.bucketwright.volumes.podclaims.PodClaimDecision} holds all rules. One key is one volume of one pod, so that a
 * volume with an error does not delay the other volumes of the pod. Everything in a pod's annotations is untrusted until
 * {@link io.bucketwright.volumes.podclaims.ClaimTemplate} has parsed it.
 */
@NullMarked
package io.bucketwright.volumes.podclaims;

import org.jspecify.annotations.NullMarked;
