package io.bucketwright.app.bench.run;

import io.bucketwright.app.bench.measure.Percentiles;
import io.bucketwright.app.bench.measure.RequestTally;
import io.bucketwright.app.bench.report.PhaseReport;
import io.bucketwright.app.bench.run.LoadClients.Listener;
import io.bucketwright.app.bench.workload.NewObject;
import io.bucketwright.app.bench.workload.WatchGoal;
import io.bucketwright.app.bench.workload.Workload;
import io.bucketwright.app.command.CommandException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs single phases of one contender.
 *
 * @param label what the progress calls the contender
 * @param created is told which objects of a name exist; the ceiling needs it
 * @param deleted is told which objects of a name are being deleted
 */
record PhaseRun(
        BenchSession session,
        Workload workload,
        Contender contender,
        String label,
        Listener created,
        Listener deleted) {

    private static final double NANOS_PER_MILLI = 1e6;

    /** Creates objects and waits until they are provisioned. */
    PhaseReport create(String phase, List<String> names) throws InterruptedException {
        return measure(phase, names, () -> {
            try (GoalWatch watch = watch(workload.bound(session.cluster()), names)) {
                Map<String, Long> started = session.load().create(names, this::objects, created);
                return new Times(started, await(phase, watch, names));
            }
        });
    }

    /** Creates one object after another, each when the one before it is provisioned. */
    PhaseReport createSingly(List<String> names) throws InterruptedException {
        return measure(PhaseReport.SINGLE, names, () -> {
            Map<String, Long> started = new HashMap<>();
            Map<String, Long> reached = new HashMap<>();
            try (GoalWatch watch = watch(workload.bound(session.cluster()), names)) {
                for (String name : names) {
                    started.putAll(session.load().create(List.of(name), this::objects, created));
                    reached.put(name, watch.awaitOne(name, contender::requireRunning));
                }
            }
            return new Times(started, reached);
        });
    }

    /** Deletes objects and waits until nothing is left of them. */
    PhaseReport delete(String phase, List<String> names) throws InterruptedException {
        return measure(phase, names, () -> {
            try (GoalWatch watch = watch(workload.deleted(session.cluster()), names)) {
                Map<String, Long> started = session.load().delete(names, this::objects, deleted);
                return new Times(started, await(phase, watch, names));
            }
        });
    }

    /** The lines of the audit log about the creation of one object. */
    List<String> recordCreation(String phase, String name) throws InterruptedException {
        return record(phase, () -> {
            try (GoalWatch watch = watch(workload.bound(session.cluster()), List.of(name))) {
                var _ = session.load().create(List.of(name), this::objects, created);
                var _ = watch.awaitOne(name, contender::requireRunning);
            }
        });
    }

    /** The lines of the audit log about the deletion of one object. */
    List<String> recordDeletion(String phase, String name) throws InterruptedException {
        return record(phase, () -> {
            try (GoalWatch watch = watch(workload.deleted(session.cluster()), List.of(name))) {
                var _ = session.load().delete(List.of(name), this::objects, deleted);
                var _ = watch.awaitOne(name, contender::requireRunning);
            }
        });
    }

    @FunctionalInterface
    private interface Recorded {
        void run() throws IOException, InterruptedException;
    }

    private List<String> record(String phase, Recorded load) throws InterruptedException {
        session.progress().begin(step(phase));
        var _ = session.meter().lines(contender.users());
        try {
            load.run();
            contender.awaitQuiet();
            session.progress().end(step(phase));
            return session.meter().lines(contender.users());
        } catch (IOException e) {
            throw new CommandException(step(phase) + ": " + e.getMessage(), e);
        }
    }

    private record Times(Map<String, Long> started, Map<String, Long> reached) {

        double seconds() {
            long first =
                    started.values().stream().mapToLong(Long::longValue).min().orElse(0);
            long last =
                    reached.values().stream().mapToLong(Long::longValue).max().orElse(0);
            return (last - first) / NANOS_PER_MILLI / 1000;
        }

        Percentiles latency() {
            return Percentiles.of(started.entrySet().stream()
                    .mapToDouble(
                            entry -> (reached.getOrDefault(entry.getKey(), 0L) - entry.getValue()) / NANOS_PER_MILLI)
                    .toArray());
        }
    }

    @FunctionalInterface
    private interface Load {
        Times run() throws IOException, InterruptedException;
    }

    private PhaseReport measure(String phase, List<String> names, Load load) throws InterruptedException {
        session.progress().begin(step(phase));
        var _ = session.meter().tally(contender.users());
        SortedMap<String, Long> before = contender.cpuMillis();
        try {
            Times times = load.run();
            contender.awaitQuiet();
            PhaseReport report = report(phase, names.size(), times.seconds(), times.latency(), before);
            session.progress().end(step(phase));
            return report;
        } catch (IOException e) {
            throw new CommandException(step(phase) + ": " + e.getMessage(), e);
        }
    }

    /** The report of what has happened since these CPU times were read and requests were counted. */
    PhaseReport report(
            String phase, int objects, double seconds, @Nullable Percentiles latency, Map<String, Long> cpuBefore)
            throws InterruptedException {
        SortedMap<String, Long> cpu = contender.cpuMillis();
        cpu.replaceAll((role, millis) -> millis - cpuBefore.getOrDefault(role, 0L));
        RequestTally requests = session.meter().tally(contender.users());
        return new PhaseReport(
                phase,
                objects,
                BenchSession.rounded(seconds),
                latency == null ? null : BenchSession.rounded(latency.median()),
                latency == null ? null : BenchSession.rounded(latency.p99()),
                requests.writes(),
                requests.reads(),
                requests.events(),
                requests.counts(),
                cpu,
                BenchSession.rounded(contender.residentMib()));
    }

    private Map<String, Long> await(String phase, GoalWatch watch, List<String> names)
            throws InterruptedException, IOException {
        return watch.await(done -> {
            contender.requireRunning();
            session.progress().advance(step(phase), done, names.size());
        });
    }

    private GoalWatch watch(WatchGoal goal, List<String> names) throws IOException {
        return new GoalWatch(session.cluster().admin(), goal, Set.copyOf(names));
    }

    private List<NewObject> objects(String name) {
        return workload.objects(session.cluster(), name);
    }

    private String step(String phase) {
        return workload.name() + ", " + label + ": " + phase;
    }
}
