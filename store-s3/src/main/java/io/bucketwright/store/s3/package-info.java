/**
 * Stores that speak S3, with principals by the AWS IAM API. Two parts that know nothing of each other:
 * {@link io.bucketwright.store.s3.Buckets} has the buckets, their marks, options and objects, by S3 alone;
 * {@link io.bucketwright.store.s3.Identities} has the principals and their keys, by whatever the store offers for that.
 * {@link io.bucketwright.store.s3.S3BucketStore} puts them together in an order that survives a crash after any request;
 * DESIGN.md beside this module says why it does.
 */
@NullMarked
package io.bucketwright.store.s3;

import org.jspecify.annotations.NullMarked;
