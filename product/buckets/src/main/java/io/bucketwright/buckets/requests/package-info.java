/**
 * What a claim and its class together request: which bucket ({@link io.bucketwright.buckets.requests.RequestedBucket}),
 * with which options and access ({@link io.bucketwright.buckets.requests.ClaimOptions}), for which provisioner
 * ({@link io.bucketwright.buckets.requests.ProvisionerSettings}). Text written by tenants is parsed here and nowhere
 * else. Pure functions; nothing here calls a store or the API server.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.buckets.requests;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
