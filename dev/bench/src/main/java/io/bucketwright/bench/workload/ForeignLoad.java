package io.bucketwright.bench.workload;

import java.util.List;

/** Objects that controllers see or could see, and have nothing to do for. */
public interface ForeignLoad {

    /** Such as foreign. */
    String name();

    /** Such as Foreign objects. */
    String title();

    /** Creates what an administrator creates once: CRDs, permissions, classes. */
    void prepare();

    /** The processes, in the order in which they are started. */
    List<RoleCommand> roles();

    /**
     * The objects, kind by kind.
     *
     * @param count of the kind that there are most of
     */
    List<ForeignBatch> batches(int count);
}
