/**
 * Volumes that are directories below a root: a claim gets one of its own, with the owner and mode it asked for, and a
 * PersistentVolume that points to it; when the claim is gone, the directory is removed, archived or kept. {@code claims} makes,
 * {@code released} takes back, {@code roots} knows the disks, {@code files} touches them, {@code classes} reads what administrators
 * allow. {@link io.bucketwright.volumes.directories.DirectoryProvisioner} is all of it in one process.
 */
@NullMarked
package io.bucketwright.volumes.directories;

import org.jspecify.annotations.NullMarked;
