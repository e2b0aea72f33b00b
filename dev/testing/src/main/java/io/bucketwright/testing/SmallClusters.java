package io.bucketwright.testing;

import io.bucketwright.local.AddOn;
import io.bucketwright.local.LocalCluster;
import io.bucketwright.local.LocalClusterBuilder;
import java.util.Collection;

/**
 * Clusters that start in two thirds of the CPU time of {@link LocalCluster#builder()}, because they lack what no controller here
 * needs. A build starts dozens of them, and each deleted namespace costs two requests for each namespaced kind.
 */
public final class SmallClusters {

    /** Kinds whose controllers run only with a node. */
    private static final String WITHOUT_WORKLOADS =
            "--runtime-config=apps/v1=false,batch/v1=false,autoscaling/v1=false,"
                    + "autoscaling/v2=false,policy/v1=false,certificates.k8s.io/v1=false";

    private SmallClusters() {}

    /** Without fair queues of requests, and without a node also without Deployments, Jobs and the like. */
    public static LocalClusterBuilder builder(Collection<AddOn> addOns) {
        return builder(addOns, addOns.contains(AddOn.NODE));
    }

    static LocalClusterBuilder builder(Collection<AddOn> addOns, boolean workloads) {
        LocalClusterBuilder builder =
                LocalCluster.builder().with(addOns).apiServerFlag("--enable-priority-and-fairness=false");
        return workloads ? builder : builder.apiServerFlag(WITHOUT_WORKLOADS);
    }
}
