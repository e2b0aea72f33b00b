/**
 * Provisions buckets for ObjectBucketClaims, as a library. The author of a provisioner implements
 * {@link io.bucketwright.store.BucketStore} and passes it to
 * {@link io.bucketwright.buckets.BucketProvisioner#builder()}; the library does everything between a claim and its
 * Secret. This package, {@code classes} and {@code stores} are the public API; the other packages of the module are
 * internal and can change in every release.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.buckets;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
