/**
 * The custom resources of bucket provisioning: an {@link io.bucketwright.api.ObjectBucketClaim} requests a bucket, and an
 * {@link io.bucketwright.api.ObjectBucket} records the provisioned bucket and how to release it.
 *
 * <p>Rook and NooBaa define both kinds too, so these types read everything that they write, keep unknown fields, and accept
 * unexpected values: one malformed object must not fail the list that contains it. Record components are the JSON fields,
 * {@code null} if absent. The methods next to them ({@code phase()}, {@code bucket()}, {@code options()}) interpret them.
 *
 * <p>The build generates the CustomResourceDefinitions from these types; {@link io.bucketwright.api.Crds} provides them.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.api;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
