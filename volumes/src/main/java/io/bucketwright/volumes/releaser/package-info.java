/**
 * Releases PersistentVolumes. A volume with reclaim policy Retain stays Released after its claim is deleted. If the releaser
 * manages it (by a label of the volume, an annotation of its class, or because the PVC provisioner created its claim), the
 * releaser makes it Available again: for any claim with its data ({@code full}), only for the same claim ({@code soft}), or
 * for any claim after its data is deleted ({@code scrub}).
 *
 * <p>{@link io.bucketwright.volumes.releaser.ReleaseDecision} has the rules, {@link
 * io.bucketwright.volumes.releaser.ScrubDecision} those of a volume that is being scrubbed, {@link
 * io.bucketwright.volumes.releaser.ReleasePatches} the writes: each patch applies to one resourceVersion of the volume and
 * one uid of its claim. Only administrators can write volumes and classes. Tenants can write claims, so a claim alone never
 * releases a volume.
 */
@NullMarked
package io.bucketwright.volumes.releaser;

import org.jspecify.annotations.NullMarked;
