package io.bucketwright.bench.run;

import io.bucketwright.api.Crds;
import io.bucketwright.bench.cluster.BenchProcess;
import io.bucketwright.bench.report.ProcessReport;
import io.bucketwright.bench.report.SubjectReport;
import io.bucketwright.bench.workload.RoleCommand;
import io.bucketwright.bench.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Measures each process alone, without objects.
 *
 * @param workloads whose processes are measured
 * @param period how long each of them is measured
 */
public record IdleRun(BenchSession session, List<Workload> workloads, Duration period) {

    /** The role of a process that runs all controllers. */
    public static final String ALL = "all";

    private static final double MILLIS_PER_MINUTE = 60_000;
    private static final int PARTS = 20;

    public SubjectReport run() throws InterruptedException {
        // A process of all controllers serves the released COSI API by default, and leads that role only if it is
        // installed.
        session.cluster().install(Crds.released());
        List<RoleCommand> roles = new ArrayList<>();
        for (Workload workload : workloads) {
            workload.prepare();
            roles.addAll(workload.roles());
        }
        roles.add(controller("orphans", "bucketwright-orphans", 1, "--only=orphans"));
        roles.add(controller("releaser", "bucketwright-releaser", 1, "--only=releaser"));
        roles.add(controller(ALL, ALL, 5, "--store=none"));
        List<ProcessReport> processes = new ArrayList<>();
        for (RoleCommand role : roles) {
            processes.add(measure(role));
        }
        return new SubjectReport("idle", "Idle processes", "bucketwright", List.of(), List.of(), processes);
    }

    private RoleCommand controller(String role, String account, int leases, String flag) {
        return new RoleCommand(
                role,
                account,
                List.of(
                        session.launcher(),
                        "controller",
                        flag,
                        "--lease-namespace=" + session.cluster().namespace()),
                leases);
    }

    private ProcessReport measure(RoleCommand role) throws InterruptedException {
        String step = "idle: " + role.role();
        session.progress().begin(step);
        try (Contender contender = session.contender()) {
            contender.start(List.of(role), session::user);
            contender.awaitQuiet();
            BenchProcess process = contender.processes().getFirst();
            long before = process.cpuMillis();
            for (int part = 0; part < PARTS; part++) {
                Thread.sleep(period.dividedBy(PARTS));
                session.progress().advance(step, part, PARTS);
            }
            double perMinute = (process.cpuMillis() - before) * MILLIS_PER_MINUTE / period.toMillis();
            ProcessReport report =
                    contender.reports(contender.memory(), Map.of(), 0).getFirst();
            session.progress().end(step);
            return new ProcessReport(
                    report.role(),
                    report.leadingMillis(),
                    report.leadingCpuMillis(),
                    perMinute,
                    report.idle(),
                    null,
                    0);
        }
    }
}
