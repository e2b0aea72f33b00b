/**
 * One root and the directories below it, and nothing about Kubernetes. Whoever can write into a volume may replace what is
 * in it by links at any moment, so nothing here goes by a path: every call is relative to a directory that is held open,
 * takes one name without a slash, and follows no link. What belongs to whom stands in markers, in {@code .bucketwright}
 * below the root, where no volume reaches: a marker is written before its directory is made, and the root's own identity
 * lies beside them, so that an unmounted disk is never taken for an empty one.
 */
@NullMarked
package io.bucketwright.volumes.directories.files;

import org.jspecify.annotations.NullMarked;
