package io.bucketwright.bench.run;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.bench.cluster.BenchCluster;
import io.bucketwright.bench.cluster.BenchProcess;
import io.bucketwright.bench.cluster.BenchUser;
import io.bucketwright.bench.measure.ProcessUsage;
import io.bucketwright.bench.report.ProcessReport;
import io.bucketwright.bench.report.ProcessReport.Memory;
import io.bucketwright.bench.workload.RoleCommand;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The processes that are measured together. */
final class Contender implements AutoCloseable {

    private static final Duration QUIET_AFTER = Duration.ofMillis(600);
    private static final Duration QUIET_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration START_TIMEOUT = Duration.ofMinutes(1);
    private static final long POLL_MILLIS = 100;
    private static final double KIB_PER_MIB = 1024;

    /** A process that renews a lease is never completely idle. */
    private static final long QUIET_CPU_MILLIS = 20;

    private final BenchCluster cluster;
    private final LeaseWatch leases;
    private final Map<String, BenchProcess> processes = new LinkedHashMap<>();
    private final Map<String, RoleStart> starts = new HashMap<>();
    private final Map<String, BenchUser> users = new HashMap<>();

    /** How long a process with leases took, and its CPU time, until it held them. */
    private record RoleStart(long leadingMillis, long cpuMillis) {}

    Contender(BenchCluster cluster, LeaseWatch leases) {
        this.cluster = cluster;
        this.leases = leases;
    }

    /** Starts the processes one after another, each as the user that this function returns for it. */
    void start(List<RoleCommand> roles, Function<RoleCommand, BenchUser> user) throws InterruptedException {
        for (RoleCommand role : roles) {
            start(role, user);
        }
    }

    /** Adds a process that was started otherwise. */
    void add(BenchProcess process, BenchUser user) {
        processes.put(process.role(), process);
        users.put(process.role(), user);
    }

    private void start(RoleCommand role, Function<RoleCommand, BenchUser> user) throws InterruptedException {
        boolean connects = !role.account().isEmpty() || role.isOther();
        Map<String, String> environment = Map.of();
        List<String> command = role.command();
        if (connects) {
            BenchUser as = users.computeIfAbsent(role.role(), _ -> user.apply(role));
            Path kubeconfig = as.kubeconfig();
            environment = Map.of("KUBECONFIG", kubeconfig.toString());
            command = role.commandWith(kubeconfig);
        }
        leases.reset();
        BenchProcess process = cluster.processes().start(role.role(), command, environment);
        processes.put(role.role(), process);
        if (role.leases() > 0) {
            long leading = leases.await(role.leases(), process::requireRunning);
            starts.put(
                    role.role(),
                    new RoleStart(
                            Duration.ofNanos(leading - process.startedNanos()).toMillis(), process.cpuMillis()));
        } else if (role.isOther()) {
            awaitQuiet();
        } else {
            awaitStarted(process);
        }
    }

    /** A process without a lease prints that it has started. */
    private static void awaitStarted(BenchProcess process) throws InterruptedException {
        long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
        while (!process.printed().contains("Started")) {
            process.requireRunning();
            if (System.nanoTime() - deadline > 0) {
                throw new CommandException("The process " + process.role() + " has not started after "
                        + START_TIMEOUT.toSeconds() + " seconds:\n" + process.lastLines());
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    List<BenchProcess> processes() {
        return List.copyOf(processes.values());
    }

    /** How long the slowest process took until it held its leases; 0 without leases. */
    long leadingMillis() {
        return starts.values().stream()
                .mapToLong(RoleStart::leadingMillis)
                .max()
                .orElse(0);
    }

    /** Names of the users, as the audit log has them. */
    Set<String> users() {
        return users.values().stream().map(BenchUser::name).collect(Collectors.toSet());
    }

    void requireRunning() {
        processes.values().forEach(BenchProcess::requireRunning);
    }

    /** CPU time of each process up to now. */
    SortedMap<String, Long> cpuMillis() {
        SortedMap<String, Long> times = new TreeMap<>();
        processes.forEach((role, process) -> times.put(role, process.cpuMillis()));
        return times;
    }

    /** CPU time of each process since these times were read. */
    SortedMap<String, Long> cpuSince(Map<String, Long> before) {
        SortedMap<String, Long> times = cpuMillis();
        times.replaceAll((role, millis) -> millis - before.getOrDefault(role, 0L));
        return times;
    }

    /** Memory of each process, by role. */
    Map<String, Memory> memory() throws InterruptedException {
        Map<String, Memory> memory = new HashMap<>();
        for (BenchProcess process : processes.values()) {
            memory.put(process.role(), BenchSession.memory(process.pid()));
        }
        return memory;
    }

    /**
     * Each process before and with objects.
     *
     * @param loaded memory with these objects; empty if there were none
     */
    List<ProcessReport> reports(Map<String, Memory> idle, Map<String, Memory> loaded, int objects) {
        return processes.keySet().stream()
                .map(role -> {
                    @Nullable RoleStart start = starts.get(role);
                    return new ProcessReport(
                            role,
                            start == null ? null : start.leadingMillis(),
                            start == null ? null : start.cpuMillis(),
                            null,
                            Objects.requireNonNull(idle.get(role), role),
                            loaded.get(role),
                            objects);
                })
                .toList();
    }

    /** Reachable heap of all processes, or null if one of them is not a JVM. */
    @Nullable
    Double heapMib() throws InterruptedException {
        double sum = 0;
        for (BenchProcess process : processes.values()) {
            @Nullable Double heap = BenchSession.heapMib(process.pid());
            if (heap == null) {
                return null;
            }
            sum += heap;
        }
        return BenchSession.rounded(sum);
    }

    /** Memory of all processes (RSS). */
    double residentMib() {
        return processes.values().stream()
                        .mapToLong(process -> ProcessUsage.of(process.pid()).residentKib())
                        .sum()
                / KIB_PER_MIB;
    }

    /** Waits until the processes have nothing left to do: they use no CPU time. */
    void awaitQuiet() throws InterruptedException {
        long deadline = System.nanoTime() + QUIET_TIMEOUT.toNanos();
        List<Long> samples = new ArrayList<>();
        int needed = (int) (QUIET_AFTER.toMillis() / POLL_MILLIS);
        while (System.nanoTime() - deadline < 0) {
            requireRunning();
            samples.add(cpuMillis().values().stream().mapToLong(Long::longValue).sum());
            int last = samples.size() - 1;
            if (last >= needed && samples.get(last) - samples.get(last - needed) <= QUIET_CPU_MILLIS) {
                return;
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** Stops the processes, the last started first. */
    void stop() {
        List.copyOf(processes.keySet()).reversed().forEach(cluster.processes()::stop);
        processes.clear();
    }

    @Override
    public void close() {
        stop();
    }
}
