package io.bucketwright.bench.run;

import io.bucketwright.bench.cluster.BenchCluster;
import io.bucketwright.bench.cluster.BenchUser;
import io.bucketwright.bench.measure.LiveHeap;
import io.bucketwright.bench.measure.ProcessUsage;
import io.bucketwright.bench.measure.RequestMeter;
import io.bucketwright.bench.report.ProcessReport.Memory;
import io.bucketwright.bench.workload.RoleCommand;
import io.bucketwright.local.report.Progress;
import java.io.IOException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What all runs of one bench share.
 *
 * @param launcher the installed command
 * @param workers of each controller, and of the ceiling
 */
public record BenchSession(
        BenchCluster cluster,
        Progress progress,
        String launcher,
        int workers,
        LeaseWatch leases,
        RequestMeter meter,
        LoadClients load)
        implements AutoCloseable {

    private static final double KIB_PER_MIB = 1024;

    public static BenchSession open(BenchCluster cluster, Progress progress, String launcher, int workers)
            throws IOException {
        return new BenchSession(
                cluster,
                progress,
                launcher,
                workers,
                new LeaseWatch(cluster.admin(), cluster.namespace()),
                new RequestMeter(cluster.auditLog(), cluster.admin()),
                new LoadClients(cluster.admin()));
    }

    /** Another one, for a process whose requests are counted at other times. */
    RequestMeter newMeter() {
        return new RequestMeter(cluster.auditLog(), cluster.admin());
    }

    Contender contender() {
        return new Contender(cluster, leases);
    }

    /** The user that a process runs as: its service account, and for a command that is not ours an administrator. */
    BenchUser user(RoleCommand role) {
        return role.isOther() || role.role().equals(IdleRun.ALL)
                ? cluster.administrator(role.role(), false)
                : cluster.account(role.account());
    }

    /** Memory of a process. The heap is measured last: the garbage collection changes the other figures. */
    static Memory memory(long pid) throws InterruptedException {
        ProcessUsage usage = ProcessUsage.of(pid);
        return new Memory(
                rounded(usage.residentKib() / KIB_PER_MIB),
                rounded(usage.proportionalKib() / KIB_PER_MIB),
                heapMib(pid));
    }

    /** Reachable heap of a process, or null if it is not a JVM. */
    static @Nullable Double heapMib(long pid) throws InterruptedException {
        OptionalLong heap = LiveHeap.bytes(pid);
        return heap.isPresent() ? rounded(heap.getAsLong() / KIB_PER_MIB / KIB_PER_MIB) : null;
    }

    /** More digits would only look exact. */
    static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }

    @Override
    public void close() {
        leases.close();
    }
}
