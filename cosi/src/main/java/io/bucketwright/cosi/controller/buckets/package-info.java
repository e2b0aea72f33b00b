/**
 * The Bucket: keeps {@code spec.bindings} equal to the granted accesses, and decides when the Bucket is deleted. Its status
 * belongs to the sidecar.
 */
@NullMarked
package io.bucketwright.cosi.controller.buckets;

import org.jspecify.annotations.NullMarked;
