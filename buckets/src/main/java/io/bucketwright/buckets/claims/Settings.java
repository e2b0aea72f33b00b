package io.bucketwright.buckets.claims;

import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What a provisioner is told once, for all claims.
 *
 * @param labels for everything that is made, beside the provisioner's own
 * @param cluster its id, which tells this cluster from others that use the same store
 * @param namespace whose claims are served, empty for all
 */
public record Settings(
        ProvisionerName provisioner, Map<String, String> labels, Supplier<String> cluster, String namespace) {

    public Settings {
        if (labels.containsKey(ObjectBucketNames.PROVISIONER_LABEL)) {
            throw new Invalid("The label " + ObjectBucketNames.PROVISIONER_LABEL + " is the library's own: leave it out");
        }
        labels = Map.copyOf(labels);
    }

    /** All labels that objects of ours carry. */
    public Map<String, String> allLabels() {
        Map<String, String> all = new HashMap<>(labels);
        all.put(ObjectBucketNames.PROVISIONER_LABEL, provisioner.label());
        return Map.copyOf(all);
    }

    String clusterId() {
        return cluster.get();
    }

    boolean serves(String itsNamespace) {
        return namespace.isEmpty() || namespace.equals(itsNamespace);
    }

    BucketOwner owner(String claimUid) {
        return new BucketOwner(clusterId(), claimUid);
    }
}
