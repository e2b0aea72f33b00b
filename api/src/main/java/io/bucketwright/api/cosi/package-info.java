/**
 * The words of COSI as its design of 2020 has them: in their own namespace people write a {@link
 * io.bucketwright.api.cosi.BucketRequest} for a bucket and a {@link io.bucketwright.api.cosi.BucketAccessRequest} for
 * credentials to it; the controller answers with a cluster-scoped {@link io.bucketwright.api.cosi.Bucket} and {@link
 * io.bucketwright.api.cosi.BucketAccess}, which the sidecar beside a driver carries out. A {@link
 * io.bucketwright.api.cosi.BucketClass} and a {@link io.bucketwright.api.cosi.BucketAccessClass} are the administrator's
 * terms; their fields stand at the top level.
 *
 * <p>Nobody else serves this group, so what the schema can refuse it refuses, and these types may rely on it. An absent
 * text reads as an empty one and an absent list or map as an empty one; empty ones are not written. Texts with a meaning
 * ({@code protocol}, {@code releasePolicy}) have a method beside them that says it.
 */
@NullMarked
package io.bucketwright.api.cosi;

import org.jspecify.annotations.NullMarked;
