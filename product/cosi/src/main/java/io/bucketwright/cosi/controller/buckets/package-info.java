/**
 * The Bucket: keeps {@code spec.bindings} equal to the granted accesses, and decides when the Bucket is deleted. Its status
 * belongs to the sidecar.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.cosi.controller.buckets;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
