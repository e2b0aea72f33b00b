/** Metrics of volumes and roots. */
@org.jspecify.annotations.NullMarked
package io.bucketwright.volumes.directories.metrics;
