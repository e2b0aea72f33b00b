/**
 * Creates PersistentVolumeClaims that pods request by annotation, under the name that the volume refers to. The pod owns its
 * claim, so the garbage collector deletes it with the pod. One key is one volume of one pod, so that a volume with an error
 * does not delay the other volumes of the pod. Everything in a pod's annotations is untrusted until {@link
 * io.bucketwright.volumes.podclaims.ClaimTemplate} has parsed it.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.volumes.podclaims;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
