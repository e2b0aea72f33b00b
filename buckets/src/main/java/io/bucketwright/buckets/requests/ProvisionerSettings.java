package io.bucketwright.buckets.requests;

import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.buckets.classes.ProvisionerName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The settings of one provisioner, the same for all of its claims.
 *
 * @param labels added to every object that the provisioner creates, in addition to the provisioner label
 * @param cluster the cluster id, which distinguishes clusters that use the same store
 * @param namespace the namespace whose claims are served; empty for all
 * @param reclaimOrphans whether the bucket of a claim that no longer exists is released by its reclaim policy; otherwise
 *     only its access is revoked
 */
public record ProvisionerSettings(
        ProvisionerName provisioner,
        Map<String, String> labels,
        Supplier<String> cluster,
        String namespace,
        boolean reclaimOrphans) {

    public ProvisionerSettings {
        if (labels.containsKey(ObjectBucketNames.PROVISIONER_LABEL)) {
            throw new Invalid("The label " + ObjectBucketNames.PROVISIONER_LABEL + " is reserved: remove it");
        }
        labels = Map.copyOf(labels);
    }

    /** All labels of the objects that this provisioner creates. */
    public Map<String, String> allLabels() {
        Map<String, String> all = new HashMap<>(labels);
        all.put(ObjectBucketNames.PROVISIONER_LABEL, provisioner.label());
        return Map.copyOf(all);
    }

    public String clusterId() {
        return cluster.get();
    }

    public boolean serves(String claimNamespace) {
        return namespace.isEmpty() || namespace.equals(claimNamespace);
    }

    /** Whether an intent or a class names this provisioner. */
    public boolean isProvisioner(String name) {
        return provisioner.text().equals(name);
    }

    public BucketOwner owner(String claimUid) {
        return new BucketOwner(clusterId(), claimUid);
    }
}
