/**
 * The sidecar for Buckets and BucketAccesses of {@code objectstorage.k8s.io/v1alpha2}. Experimental. The calls of its protocol
 * are idempotent, so what an earlier process may have done is done again.
 */
@NullMarked
package io.bucketwright.cosi.v1alpha2.sidecar;

import org.jspecify.annotations.NullMarked;
