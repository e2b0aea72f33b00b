/**
 * The controller of BucketClaims as released ({@code objectstorage.k8s.io/v1alpha1}): one loop. For a claim it creates a
 * Bucket, or binds the Bucket that the claim names; the sidecar beside the driver provisions it. When the claim is deleted,
 * the loop waits for its BucketAccesses, then deletes the Bucket or retains it.
 *
 * <p>The other half may be the sidecar of v0.2.2 or the one of this project. So this half leaves a Bucket as that sidecar
 * expects it, removes the finalizer of a claim only where no sidecar does it, and never resets {@code bucketReady}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.cosi.controller.claims;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
