package io.bucketwright.cosi.sidecar.driver;

import java.util.Map;

/**
 * A bucket as the driver knows it.
 *
 * @param name that it is created with
 * @param id by which the driver finds it; the name if the driver has issued no other
 * @param parameters of the class it was created with
 * @param ownerUid in its ownership tag
 * @param formerCluster the cluster that an administrator transfers it from, or transferred it from; empty if none. Its
 *     accounts are revoked too. The bucket itself may belong to that cluster again
 */
public record BackendBucket(
        String name, String id, Map<String, String> parameters, String ownerUid, String formerCluster) {

    public BackendBucket {
        parameters = Map.copyOf(parameters);
    }

    /** The same bucket, with another former cluster or, if empty, none. */
    public BackendBucket withFormerCluster(String cluster) {
        return new BackendBucket(name, id, parameters, ownerUid, cluster);
    }
}
