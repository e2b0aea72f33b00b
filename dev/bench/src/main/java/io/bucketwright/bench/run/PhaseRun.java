package io.bucketwright.bench.run;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.bench.report.PhaseReport;
import io.bucketwright.bench.run.LoadClients.Listener;
import io.bucketwright.bench.workload.NewObject;
import io.bucketwright.bench.workload.WatchGoal;
import io.bucketwright.bench.workload.Workload;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Runs single phases of one contender.
 *
 * @param label what the progress calls the contender
 * @param created receives the objects that were created under a name; the ceiling needs them
 * @param deleted receives the objects that are being deleted under a name
 */
record PhaseRun(
        BenchSession session,
        Workload workload,
        Contender contender,
        String label,
        Listener created,
        Listener deleted) {

    /** Creates objects and waits until they are provisioned. */
    PhaseReport create(String phase, List<String> names) throws InterruptedException {
        return measure(phase, () -> createBatch(phase, names));
    }

    /** The same, without a report of its own. */
    PhaseTimes createBatch(String phase, List<String> names) throws IOException, InterruptedException {
        try (GoalWatch watch = watch(workload.bound(), names)) {
            Map<String, Long> started = session.load().create(names, this::objects, created);
            return new PhaseTimes(started, await(phase, watch, names));
        }
    }

    /** Creates one object after another, each when the one before it is provisioned. */
    PhaseReport createSingly(List<String> names) throws InterruptedException {
        return measure(PhaseReport.SINGLE, () -> {
            Map<String, Long> started = new HashMap<>();
            Map<String, Long> reached = new HashMap<>();
            try (GoalWatch watch = watch(workload.bound(), names)) {
                for (String name : names) {
                    started.putAll(session.load().create(List.of(name), this::objects, created));
                    reached.put(name, watch.awaitOne(name, contender::requireRunning));
                }
            }
            return new PhaseTimes(started, reached);
        });
    }

    /** Deletes objects and waits until nothing is left of them. */
    PhaseReport delete(String phase, List<String> names) throws InterruptedException {
        return measure(phase, () -> deleteBatch(phase, names));
    }

    /** The same, without a report of its own. */
    PhaseTimes deleteBatch(String phase, List<String> names) throws IOException, InterruptedException {
        try (GoalWatch watch = watch(workload.deleted(), names)) {
            Map<String, Long> started = session.load().delete(names, this::objects, deleted);
            return new PhaseTimes(started, await(phase, watch, names));
        }
    }

    /** The lines of the audit log about the creation of one object. */
    List<String> recordCreation(String phase, String name) throws InterruptedException {
        return record(phase, () -> createBatch(phase, List.of(name)));
    }

    /** The lines of the audit log about the deletion of one object. */
    List<String> recordDeletion(String phase, String name) throws InterruptedException {
        return record(phase, () -> deleteBatch(phase, List.of(name)));
    }

    private List<String> record(String phase, PhaseMeter.Load load) throws InterruptedException {
        session.progress().begin(step(phase));
        var _ = session.meter().lines(contender.users());
        try {
            var _ = load.run();
            contender.awaitQuiet();
            session.progress().end(step(phase));
            return session.meter().lines(contender.users());
        } catch (IOException e) {
            throw new CommandException(step(phase) + ": " + e.getMessage(), e);
        }
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
        return workload.objects(name);
    }

    /** Measures what the processes use for this load. */
    PhaseReport measure(String phase, PhaseMeter.Load load) throws InterruptedException {
        return meter().measure(phase, load);
    }

    private String step(String phase) {
        return meter().step(phase);
    }

    private PhaseMeter meter() {
        return new PhaseMeter(session, contender, workload.name() + ", " + label);
    }
}
