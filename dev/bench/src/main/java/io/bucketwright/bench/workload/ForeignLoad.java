package io.bucketwright.bench.workload;

import io.bucketwright.bench.cluster.BenchCluster;
import java.util.List;

/** Objects that controllers see or could see, and have nothing to do for. */
public interface ForeignLoad {

    /** Such as foreign. */
    String name();

    /** Such as Foreign objects. */
    String title();

    /** Creates what an administrator creates once: CRDs, permissions, classes. */
    void prepare(BenchCluster cluster);

    /** The processes, in the order in which they are started. */
    List<RoleCommand> roles(BenchCluster cluster);

    /**
     * The objects, kind by kind.
     *
     * @param count of the kind that there are most of
     */
    List<ForeignBatch> batches(BenchCluster cluster, int count);
}
