package io.bucketwright.bench.run;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.bench.measure.Percentiles;
import io.bucketwright.bench.measure.RequestTally;
import io.bucketwright.bench.report.PhaseReport;
import io.bucketwright.bench.workload.RoleCommand;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Measures what processes use in one phase.
 *
 * @param title what the progress calls the processes
 */
record PhaseMeter(BenchSession session, Contender contender, String title) {

    /** What is measured in a phase. */
    @FunctionalInterface
    interface Load {
        PhaseTimes run() throws IOException, InterruptedException;
    }

    /** Measures from the start of this load until the processes have nothing left to do. */
    PhaseReport measure(String phase, Load load) throws InterruptedException {
        session.progress().begin(step(phase));
        var _ = session.meter().tally(contender.users());
        SortedMap<String, Long> before = contender.cpuMillis();
        SortedMap<String, Long> serversBefore = session.cluster().serverCpuMillis();
        try {
            PhaseTimes times = load.run();
            contender.awaitQuiet();
            PhaseReport report =
                    report(phase, times.objects(), times.seconds(), times.latency(), before, serversBefore);
            session.progress().end(step(phase));
            return report;
        } catch (IOException e) {
            throw new CommandException(step(phase) + ": " + e.getMessage(), e);
        }
    }

    /** The processes are started. The time is that until all of them hold their leases. */
    PhaseReport start(List<RoleCommand> roles) throws InterruptedException {
        return start(PhaseReport.START, roles, 0);
    }

    /** The processes are stopped and started again. */
    PhaseReport restart(List<RoleCommand> roles, int objects) throws InterruptedException {
        return start(PhaseReport.RESTART, roles, objects);
    }

    private PhaseReport start(String phase, List<RoleCommand> roles, int objects) throws InterruptedException {
        session.progress().begin(step(phase));
        var _ = session.meter().tally(contender.users());
        SortedMap<String, Long> serversBefore = session.cluster().serverCpuMillis();
        contender.stop();
        contender.start(roles, session::user);
        contender.awaitQuiet();
        session.progress().end(step(phase));
        return report(phase, objects, contender.leadingMillis() / 1000.0, null, Map.of(), serversBefore);
    }

    /** The report of what has happened since these CPU times were read and requests were counted. */
    PhaseReport report(
            String phase,
            int objects,
            double seconds,
            @Nullable Percentiles latency,
            Map<String, Long> cpuBefore,
            Map<String, Long> serversBefore)
            throws InterruptedException {
        SortedMap<String, Long> cpu = contender.cpuSince(cpuBefore);
        SortedMap<String, Long> servers = session.cluster().serverCpuMillis();
        servers.replaceAll((name, millis) -> millis - serversBefore.getOrDefault(name, 0L));
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
                servers,
                BenchSession.rounded(contender.residentMib()),
                null);
    }

    /** What the progress calls the phase. */
    String step(String phase) {
        return title + ": " + phase;
    }
}
