package io.bucketwright.store;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.ClaimIdentity;

/**
 * Transfers a bucket from a cluster that no longer exists to another one.
 *
 * @param fromCluster the cluster id in the bucket's ownership tags
 * @param toCluster the cluster id that replaces it
 * @param claim the claim in the ownership tags, by namespace and name
 */
public record TransferRequest(BucketName bucket, String fromCluster, String toCluster, ClaimIdentity claim) {}
