/**
 * Helpers for single Kubernetes objects: {@link io.bucketwright.runtime.objects.Metadata} reads metadata without null checks
 * and {@link io.bucketwright.runtime.objects.MetadataPatch} changes it, {@link io.bucketwright.runtime.objects.SafeText}
 * prepares text written by users for events, conditions and logs, and {@link io.bucketwright.runtime.objects.OwnedSecret}
 * creates and finds a Secret or ConfigMap without touching one that belongs to somebody else.
 */
@NullMarked
package io.bucketwright.runtime.objects;

import org.jspecify.annotations.NullMarked;
