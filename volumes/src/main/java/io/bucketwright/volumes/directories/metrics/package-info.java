/**
 * The metrics of the provisioner: provisioned and deleted volumes, and the disk usage of volumes and roots, which
 * {@code DirectoryUsageController} measures periodically.
 */
@NullMarked
package io.bucketwright.volumes.directories.metrics;

import org.jspecify.annotations.NullMarked;
