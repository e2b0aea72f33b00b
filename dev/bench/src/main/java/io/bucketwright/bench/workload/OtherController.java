package io.bucketwright.bench.workload;

import io.bucketwright.bench.cluster.BenchCluster;
import java.util.List;

/** The same objects, provisioned by another controller. */
public record OtherController(Workload workload, String command) implements Workload {

    @Override
    public String name() {
        return workload.name();
    }

    @Override
    public String title() {
        return workload.title();
    }

    @Override
    public void prepare(BenchCluster cluster) {
        workload.prepare(cluster);
    }

    @Override
    public List<RoleCommand> roles(BenchCluster cluster) {
        return List.of(RoleCommand.other(command));
    }

    @Override
    public List<NewObject> objects(BenchCluster cluster, String name) {
        return workload.objects(cluster, name);
    }

    @Override
    public WatchGoal bound(BenchCluster cluster) {
        return workload.bound(cluster);
    }

    @Override
    public WatchGoal deleted(BenchCluster cluster) {
        return workload.deleted(cluster);
    }

    @Override
    public boolean measuresDeletion() {
        return workload.measuresDeletion();
    }
}
