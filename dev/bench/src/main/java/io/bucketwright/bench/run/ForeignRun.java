package io.bucketwright.bench.run;

import io.bucketwright.bench.report.Findings;
import io.bucketwright.bench.report.PhaseReport;
import io.bucketwright.bench.report.ProcessReport;
import io.bucketwright.bench.report.ProcessReport.Memory;
import io.bucketwright.bench.report.SubjectReport;
import io.bucketwright.bench.workload.ForeignBatch;
import io.bucketwright.bench.workload.ForeignLoad;
import io.bucketwright.bench.workload.RoleCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Measures what objects cost that processes have nothing to do for: the same processes before and after they exist.
 *
 * @param count objects of the kind that there are most of
 */
public record ForeignRun(BenchSession session, ForeignLoad foreign, int count) {

    public SubjectReport run() throws InterruptedException {
        foreign.prepare();
        List<RoleCommand> roles = foreign.roles();
        List<ForeignBatch> batches = foreign.batches(count);
        int objects = batches.stream().mapToInt(ForeignBatch::count).sum();
        List<PhaseReport> phases = new ArrayList<>();
        try (Contender contender = session.contender()) {
            PhaseMeter meter = new PhaseMeter(session, contender, foreign.name());
            phases.add(meter.start(roles));
            Map<String, Memory> idle = contender.memory();
            List<PhaseReport> load = new ArrayList<>();
            for (ForeignBatch batch : batches) {
                load.add(create(meter, batch));
            }
            for (ForeignBatch batch : batches) {
                if (batch.changes() > 0) {
                    load.add(change(meter, batch));
                }
            }
            phases.addAll(load);
            Map<String, Memory> loaded = contender.memory();
            List<ProcessReport> processes = contender.reports(idle, loaded, objects);
            phases.add(meter.restart(roles, objects).withHeap(contender.heapMib()));
            for (ForeignBatch batch : batches) {
                var _ = meter.measure(
                        "deletion of " + batch.title(),
                        () -> PhaseTimes.of(session.load().delete(batch.names(), batch::objects, (_, _) -> {})));
            }
            return new SubjectReport(
                    foreign.name(),
                    foreign.title(),
                    "bucketwright",
                    phases,
                    List.of(),
                    processes,
                    Findings.foreign(processes, load));
        }
    }

    private PhaseReport create(PhaseMeter meter, ForeignBatch batch) throws InterruptedException {
        return meter.measure(
                        batch.title(),
                        () -> PhaseTimes.of(session.load().create(batch.names(), batch::objects, (_, _) -> {})))
                .withHeap(meter.contender().heapMib());
    }

    private PhaseReport change(PhaseMeter meter, ForeignBatch batch) throws InterruptedException {
        return meter.measure(
                        "changes of " + batch.title(),
                        () -> PhaseTimes.of(session.load()
                                .patch(batch.changedNames(), batch::objects, batch.subresource(), batch.patch())))
                .withHeap(meter.contender().heapMib());
    }
}
