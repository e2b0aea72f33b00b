package io.bucketwright.bench.run;

import io.bucketwright.bench.measure.RequestMeter;
import io.bucketwright.bench.measure.RequestTally;
import io.bucketwright.bench.report.Findings;
import io.bucketwright.bench.report.PhaseReport;
import io.bucketwright.bench.report.ProcessReport;
import io.bucketwright.bench.report.ProcessReport.Memory;
import io.bucketwright.bench.report.SubjectReport;
import io.bucketwright.bench.workload.RoleCommand;
import io.bucketwright.bench.workload.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Creates and deletes objects for a time, and measures at intervals whether memory grows: of the process that leads, and of
 * a second replica that does not.
 *
 * @param standbyAccount service account of the second replica; the audit log tells the two apart by it
 * @param count objects of a batch
 * @param duration of all intervals together
 */
public record ChurnRun(BenchSession session, Workload workload, String standbyAccount, int count, Duration duration) {

    /** The role of the second replica. */
    public static final String STANDBY = "standby";

    private static final int INTERVALS = 10;

    /** A batch begins at most this often: memory is measured here, not speed. */
    private static final Duration PERIOD = Duration.ofSeconds(10);

    public List<SubjectReport> run() throws InterruptedException {
        workload.prepare();
        List<RoleCommand> roles = workload.roles();
        try (Contender leader = session.contender();
                Contender standby = session.contender()) {
            session.progress().begin("churn: start");
            leader.start(roles, session::user);
            standby.start(
                    roles.stream()
                            .map(role -> role.standby(STANDBY, standbyAccount))
                            .toList(),
                    session::user);
            leader.awaitQuiet();
            standby.awaitQuiet();
            session.progress().end("churn: start");
            return measure(leader, standby);
        }
    }

    private List<SubjectReport> measure(Contender leader, Contender standby) throws InterruptedException {
        Map<String, Memory> leaderIdle = leader.memory();
        Map<String, Memory> standbyIdle = standby.memory();
        RequestMeter standbyMeter = session.newMeter();
        var _ = standbyMeter.tally(standby.users());
        PhaseRun run = new PhaseRun(session, workload, leader, "churn", (_, _) -> {}, (_, _) -> {});
        List<PhaseReport> samples = new ArrayList<>();
        List<PhaseReport> standbySamples = new ArrayList<>();
        int objects = 0;
        for (int interval = 1; interval <= INTERVALS; interval++) {
            SortedMap<String, Long> cpu = standby.cpuMillis();
            long began = System.nanoTime();
            String phase = interval + " of " + INTERVALS;
            PhaseReport sample = run.measure(phase, () -> churn(run, phase));
            standby.requireRunning();
            samples.add(sample.withHeap(leader.heapMib()));
            RequestTally requests = standbyMeter.tally(standby.users());
            standbySamples.add(sample(
                    phase, sample.objects(), Duration.ofNanos(System.nanoTime() - began), requests, standby, cpu));
            objects += sample.objects();
        }
        return List.of(
                report(
                        "churn",
                        workload.title() + ", created and deleted",
                        leader,
                        leaderIdle,
                        objects,
                        samples,
                        List.of()),
                report(
                        STANDBY,
                        "Second replica in the meantime",
                        standby,
                        standbyIdle,
                        objects,
                        standbySamples,
                        List.of(Findings.standby(standbySamples))));
    }

    /** Batches for one interval, at least one. */
    private PhaseTimes churn(PhaseRun run, String phase) throws IOException, InterruptedException {
        long end = System.nanoTime() + duration.dividedBy(INTERVALS).toNanos();
        PhaseTimes times = new PhaseTimes(Map.of(), Map.of());
        int batch = 0;
        do {
            long next = System.nanoTime() + PERIOD.toNanos();
            List<String> names = BatchNames.of("churn-" + phase.replace(" ", "-") + "-" + batch++, count);
            times = times.and(run.createBatch(phase, names));
            var _ = run.deleteBatch(phase, names);
            long pause = Math.min(next, end) - System.nanoTime();
            if (pause > 0) {
                Thread.sleep(Duration.ofNanos(pause));
            }
        } while (System.nanoTime() - end < 0);
        return times;
    }

    private static PhaseReport sample(
            String phase,
            int objects,
            Duration time,
            RequestTally requests,
            Contender standby,
            Map<String, Long> cpuBefore)
            throws InterruptedException {
        return new PhaseReport(
                phase,
                objects,
                BenchSession.rounded(time.toMillis() / 1000.0),
                null,
                null,
                requests.writes(),
                requests.reads(),
                requests.events(),
                requests.withLeases(),
                standby.cpuSince(cpuBefore),
                new TreeMap<>(),
                BenchSession.rounded(standby.residentMib()),
                standby.heapMib());
    }

    private static SubjectReport report(
            String name,
            String title,
            Contender contender,
            Map<String, Memory> idle,
            int objects,
            List<PhaseReport> samples,
            List<String> findings)
            throws InterruptedException {
        List<ProcessReport> processes = contender.reports(idle, contender.memory(), objects);
        List<String> all = new ArrayList<>(Findings.growth(samples));
        all.addAll(findings);
        return new SubjectReport(name, title, "bucketwright", samples, List.of(), processes, all);
    }
}
