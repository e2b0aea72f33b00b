/**
 * Volumes that come back. A volume with policy Retain stays Released when its claim goes, for ever. If it is ours, by its
 * own label, by its class, or because a claim of our provisioner had it, it is made Available again: for anybody with its
 * data ({@code full}), for the same claim only ({@code soft}), or for anybody after it was emptied ({@code scrub}).
 *
 * <p>{@link io.bucketwright.volumes.releaser.ReleaseDecision} holds the rules, {@link
 * io.bucketwright.volumes.releaser.Scrubbing} those of a volume that is being emptied, {@link
 * io.bucketwright.volumes.releaser.Patches} what is written: each patch is for one version of the volume and one life of
 * its claim. Only administrators can write volumes and classes; what stands on a claim is any tenant's word, and moves
 * nothing by itself.
 */
@NullMarked
package io.bucketwright.volumes.releaser;

import org.jspecify.annotations.NullMarked;
