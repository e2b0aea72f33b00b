/**
 * Who owns a bucket and what its principal may do. A {@link io.bucketwright.store.access.BucketOwner} owns a bucket with a
 * {@link io.bucketwright.store.access.BucketName} and has one principal, named by a
 * {@link io.bucketwright.store.access.PrincipalName}. An {@link io.bucketwright.store.access.Access} limits that principal to
 * some operations on the objects of that bucket.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.store.access;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
