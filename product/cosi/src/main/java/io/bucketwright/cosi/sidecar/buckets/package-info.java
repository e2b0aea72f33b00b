/**
 * The sidecar's controller for Buckets. It asks the driver to create a bucket and records the connection data in
 * {@code spec.protocol}, reports the phase and the Ready condition, and asks the driver to delete the bucket once nothing
 * uses it and its release policy allows that. {@code SidecarBucketDecision} holds the rules.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.cosi.sidecar.buckets;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
