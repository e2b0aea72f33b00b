/**
 * What claims request, and the Kubernetes objects in which it is recorded. A claim and its class together request a bucket
 * ({@link io.bucketwright.buckets.objects.RequestedBucket}) with options and access
 * ({@link io.bucketwright.buckets.objects.ClaimOptions}); text written by tenants is parsed here and nowhere else. The objects
 * are the ObjectBucket with its recorded intent ({@link io.bucketwright.buckets.objects.ObjectBucketContent},
 * {@link io.bucketwright.buckets.objects.RecordedBucket}), the Secret and the ConfigMap
 * ({@link io.bucketwright.buckets.objects.ChildObject}), and the metadata of the claim itself. Pure functions; nothing here
 * calls a store or the API server.
 */
@API(status = API.Status.EXPERIMENTAL)
@NullMarked
package io.bucketwright.buckets.objects;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
