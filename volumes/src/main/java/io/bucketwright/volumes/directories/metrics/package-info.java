/**
 * The metrics of the provisioner: provisioned and deleted volumes, and the disk usage of volumes and roots, which
 * {@code DirectoryUsage} and {@code RootUsage} measure periodically.
 */
@NullMarked
package io.bucketwright.volumes.directories.metrics;

import org.jspecify.annotations.NullMarked;
