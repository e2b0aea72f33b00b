/**
 * The Kubernetes objects of a claim as the controller writes and reads them: the ObjectBucket with its recorded intent
 * ({@link io.bucketwright.buckets.objects.ObjectBucketContent}, {@link io.bucketwright.buckets.objects.RecordedBucket}),
 * the Secret and the ConfigMap ({@link io.bucketwright.buckets.objects.ChildObject}), and the metadata of the claim
 * itself. Pure functions; nothing here calls a store or the API server.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.buckets.objects;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
