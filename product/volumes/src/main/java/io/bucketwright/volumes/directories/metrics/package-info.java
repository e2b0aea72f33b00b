/**
 * The metrics of the provisioner: provisioned and deleted volumes, and the disk usage of volumes and roots, which
 * {@code DirectoryUsage} and {@code RootUsage} measure periodically.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.volumes.directories.metrics;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
