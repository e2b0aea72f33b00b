/**
 * The API of the COSI design of 2020. In their own namespace, users create a {@link io.bucketwright.api.cosi.BucketRequest}
 * for a bucket and a {@link io.bucketwright.api.cosi.BucketAccessRequest} for credentials. The controller creates the
 * cluster-scoped {@link io.bucketwright.api.cosi.Bucket} and {@link io.bucketwright.api.cosi.BucketAccess}, which the
 * sidecar beside a driver provisions. {@link io.bucketwright.api.cosi.BucketClass} and {@link
 * io.bucketwright.api.cosi.BucketAccessClass} are the administrator's; their fields are at the top level, without a spec.
 * {@link io.bucketwright.api.cosi.ProvisionerReport} is what the sidecar reports to the controller.
 *
 * <p>No other project serves this group, so the schema refuses what it can, and these types rely on it. Absent text, lists
 * and maps are empty; empty ones are not written. Text with a fixed set of values ({@code protocol}, {@code releasePolicy})
 * has a method that returns the typed value.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.api.cosi;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
