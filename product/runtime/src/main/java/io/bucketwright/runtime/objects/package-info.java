/**
 * Helpers for single Kubernetes objects: {@link io.bucketwright.runtime.objects.Metadata} reads metadata without null checks
 * and {@link io.bucketwright.runtime.objects.MetadataPatch} changes it, {@link io.bucketwright.runtime.objects.SafeText}
 * prepares text written by users for events, conditions and logs, and {@link io.bucketwright.runtime.objects.OwnedSecret}
 * creates and finds a Secret or ConfigMap without touching one that belongs to somebody else.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.runtime.objects;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
