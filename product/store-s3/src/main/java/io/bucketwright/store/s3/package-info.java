/**
 * Stores with the S3 API. {@link io.bucketwright.store.s3.Buckets} manages the buckets, their ownership tags, options and
 * contents through S3; an {@link io.bucketwright.store.s3.identity.Identity} manages principals and access keys, which every
 * family of stores does in its own way. {@link io.bucketwright.store.s3.S3BucketStore} combines them in an order that
 * survives a crash after any request. DESIGN.md of this module explains the order.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.store.s3;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
