/**
 * Buckets for ObjectBucketClaims, as a library. A provisioner's author implements
 * {@link io.bucketwright.store.BucketStore} and hands it to {@link io.bucketwright.buckets.BucketProvisioner#builder()};
 * everything between a claim and its Secret is done here. This package is the public API, which keeps its promises from
 * one release to the next; the packages below it are not.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.buckets;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
