/**
 * The Kubernetes objects that the directory controllers share: their caches, their annotations, the names of volumes, and
 * the PersistentVolume of a directory.
 */
@NullMarked
package io.bucketwright.volumes.directories.objects;

import org.jspecify.annotations.NullMarked;
