package io.bucketwright.bench.workload;

import java.util.List;

/** One kind of object: how it is created, when it is done, and which processes provision it. */
public interface Workload {

    /** Such as buckets. */
    String name();

    /** Such as ObjectBucketClaims. */
    String title();

    /** Creates what an administrator creates once: CRDs, permissions, classes. */
    void prepare();

    /** The processes, in the order in which they are started. */
    List<RoleCommand> roles();

    /** The objects that a user creates under this name, in order. */
    List<NewObject> objects(String name);

    /** When what was created under a name is provisioned. */
    WatchGoal bound();

    /** When nothing of it is left. */
    WatchGoal deleted();

    /** Whether the deletion is measured too. */
    default boolean measuresDeletion() {
        return true;
    }
}
