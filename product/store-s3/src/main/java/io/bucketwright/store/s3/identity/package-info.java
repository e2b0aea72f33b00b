/**
 * What differs between the families of S3 stores: who may use a bucket. {@link io.bucketwright.store.s3.identity.Identity}
 * combines the {@link io.bucketwright.store.s3.identity.Principals} and their keys, the credentials that act on a bucket
 * ({@link io.bucketwright.store.s3.identity.BucketClients}) and its
 * {@link io.bucketwright.store.s3.identity.BucketQuotas quota}, which no S3 API has. Buckets and objects are the same in all
 * families.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.store.s3.identity;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
