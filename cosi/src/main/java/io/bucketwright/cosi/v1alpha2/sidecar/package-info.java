/**
 * The sidecar for Buckets and BucketAccesses of {@code objectstorage.k8s.io/v1alpha2}. Experimental. The calls of its protocol
 * are idempotent, so what an earlier process may have done is done again.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.cosi.v1alpha2.sidecar;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
