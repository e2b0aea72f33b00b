package io.bucketwright.app.bench.run;

import io.bucketwright.app.bench.cluster.BenchProcess;
import io.bucketwright.app.bench.report.PhaseReport;
import io.bucketwright.app.bench.report.ProcessReport;
import io.bucketwright.app.bench.report.ProcessReport.Memory;
import io.bucketwright.app.bench.report.SubjectReport;
import io.bucketwright.app.bench.workload.RoleCommand;
import io.bucketwright.app.bench.workload.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Runs all phases of one workload.
 *
 * @param count objects of a batch; with steps, of all batches together
 * @param steps 0 for two equal batches, of which the second is deleted; otherwise the number of batches
 * @param ceiling whether the ceiling is measured first
 */
public record WorkloadRun(BenchSession session, Workload workload, int count, int steps, boolean ceiling) {

    /** More would take long and say nothing more. */
    private static final int LARGEST_CEILING = 2000;

    public SubjectReport run() throws InterruptedException {
        workload.prepare(session.cluster());
        List<PhaseReport> limit =
                ceiling ? new CeilingRun(session, workload, Math.min(count, LARGEST_CEILING)).run() : List.of();
        List<PhaseReport> phases = new ArrayList<>();
        List<ProcessReport> processes = new ArrayList<>();
        List<RoleCommand> roles = workload.roles(session.cluster());
        try (Contender contender = session.contender()) {
            session.progress().begin(workload.name() + ": start");
            contender.start(roles, session::user);
            contender.awaitQuiet();
            session.progress().end(workload.name() + ": start");
            Map<String, Memory> idle = memory(contender);
            PhaseRun run = new PhaseRun(session, workload, contender, controller(), (_, _) -> {}, (_, _) -> {});
            Map<String, List<String>> batches = batches();
            for (Map.Entry<String, List<String>> batch : batches.entrySet()) {
                phases.add(run.create(batch.getKey(), batch.getValue()));
            }
            List<String> single = BatchNames.single(workload.name());
            phases.add(run.createSingly(single));
            int objects = batches.values().stream().mapToInt(List::size).sum() + single.size();
            Map<String, Memory> loaded = memory(contender);
            for (BenchProcess process : contender.processes()) {
                processes.add(report(contender, process.role(), idle, loaded, objects));
            }
            List<List<String>> left = new ArrayList<>(batches.values());
            left.add(single);
            if (steps > 0) {
                phases.add(restart(run, contender, roles, objects));
                phases.add(run.delete(
                        PhaseReport.DELETE, left.stream().flatMap(List::stream).toList()));
            } else {
                List<String> last = left.remove(1);
                PhaseReport deletion = run.delete(PhaseReport.DELETE, last);
                if (workload.measuresDeletion()) {
                    phases.add(deletion);
                }
                phases.add(restart(run, contender, roles, objects - last.size()));
                var _ = run.delete(
                        "clean up", left.stream().flatMap(List::stream).toList());
            }
        }
        return new SubjectReport(workload.name(), workload.title(), controller(), phases, limit, processes);
    }

    private Map<String, List<String>> batches() {
        Map<String, List<String>> batches = new LinkedHashMap<>();
        if (steps > 0) {
            BatchNames.steps(workload.name() + "-step", count, steps)
                    .forEach((after, names) -> batches.put(PhaseReport.BIND + " to " + after, names));
        } else {
            batches.put(PhaseReport.BIND, BatchNames.of(workload.name() + "-first", count));
            batches.put(PhaseReport.WARM, BatchNames.of(workload.name() + "-second", count));
        }
        return batches;
    }

    private PhaseReport restart(PhaseRun run, Contender contender, List<RoleCommand> roles, int objects)
            throws InterruptedException {
        session.progress().begin(workload.name() + ": restart");
        var _ = session.meter().tally(contender.users());
        contender.stop();
        contender.start(roles, session::user);
        contender.awaitQuiet();
        long leading = contender.processes().stream()
                .mapToLong(process -> contender.startOf(process.role()).leadingMillis())
                .max()
                .orElse(0);
        session.progress().end(workload.name() + ": restart");
        return run.report(PhaseReport.RESTART, objects, Math.max(0, leading) / 1000.0, null, Map.of());
    }

    private static Map<String, Memory> memory(Contender contender) throws InterruptedException {
        Map<String, Memory> memory = new HashMap<>();
        for (BenchProcess process : contender.processes()) {
            memory.put(process.role(), BenchSession.memory(process.pid()));
        }
        return memory;
    }

    static ProcessReport report(
            Contender contender, String role, Map<String, Memory> idle, Map<String, Memory> loaded, int objects) {
        Contender.RoleStart start = contender.startOf(role);
        boolean leads = start.leadingMillis() >= 0;
        Memory before = Objects.requireNonNull(idle.get(role), role);
        return new ProcessReport(
                role,
                leads ? start.leadingMillis() : null,
                leads ? start.cpuMillis() : null,
                null,
                before,
                loaded.get(role),
                objects);
    }

    private String controller() {
        return workload.roles(session.cluster()).stream().anyMatch(RoleCommand::isOther)
                ? "other controller"
                : "bucketwright";
    }
}
