package io.bucketwright.bench.run;

import io.bucketwright.bench.report.Findings;
import io.bucketwright.bench.report.PhaseReport;
import io.bucketwright.bench.report.ProcessReport;
import io.bucketwright.bench.report.ProcessReport.Memory;
import io.bucketwright.bench.report.SubjectReport;
import io.bucketwright.bench.workload.RoleCommand;
import io.bucketwright.bench.workload.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
        workload.prepare();
        List<PhaseReport> limit =
                ceiling ? new CeilingRun(session, workload, Math.min(count, LARGEST_CEILING)).run() : List.of();
        List<PhaseReport> phases = new ArrayList<>();
        List<ProcessReport> processes = new ArrayList<>();
        List<RoleCommand> roles = workload.roles();
        try (Contender contender = session.contender()) {
            session.progress().begin(workload.name() + ": start");
            contender.start(roles, session::user);
            contender.awaitQuiet();
            session.progress().end(workload.name() + ": start");
            Map<String, Memory> idle = contender.memory();
            PhaseRun run = new PhaseRun(session, workload, contender, controller(), (_, _) -> {}, (_, _) -> {});
            PhaseMeter meter = new PhaseMeter(session, contender, workload.name());
            Map<String, List<String>> batches = batches();
            for (Map.Entry<String, List<String>> batch : batches.entrySet()) {
                phases.add(withHeap(run.create(batch.getKey(), batch.getValue()), contender));
            }
            List<String> single = BatchNames.single(workload.name());
            phases.add(run.createSingly(single));
            int objects = batches.values().stream().mapToInt(List::size).sum() + single.size();
            Map<String, Memory> loaded = contender.memory();
            processes.addAll(contender.reports(idle, loaded, objects));
            List<List<String>> left = new ArrayList<>(batches.values());
            left.add(single);
            if (steps > 0) {
                phases.add(withHeap(meter.restart(roles, objects), contender));
                phases.add(withHeap(
                        run.delete(
                                PhaseReport.DELETE,
                                left.stream().flatMap(List::stream).toList()),
                        contender));
            } else {
                List<String> last = left.remove(1);
                PhaseReport deletion = run.delete(PhaseReport.DELETE, last);
                if (workload.measuresDeletion()) {
                    phases.add(deletion);
                }
                phases.add(meter.restart(roles, objects - last.size()));
                var _ = run.delete(
                        "clean up", left.stream().flatMap(List::stream).toList());
            }
        }
        return new SubjectReport(
                workload.name(),
                workload.title(),
                controller(),
                phases,
                limit,
                processes,
                steps > 0 ? Findings.scale(phases) : List.of());
    }

    /** With steps, the heap is measured after each: it costs a garbage collection, which others should not have. */
    private PhaseReport withHeap(PhaseReport phase, Contender contender) throws InterruptedException {
        return steps > 0 ? phase.withHeap(contender.heapMib()) : phase;
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

    private String controller() {
        return workload.roles().stream().anyMatch(RoleCommand::isOther) ? "other controller" : "bucketwright";
    }
}
