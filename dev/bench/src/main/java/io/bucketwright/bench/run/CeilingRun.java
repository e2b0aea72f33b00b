package io.bucketwright.bench.run;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.bench.ceiling.CeilingFeed;
import io.bucketwright.bench.ceiling.CreatedObject;
import io.bucketwright.bench.ceiling.WriteRecording;
import io.bucketwright.bench.ceiling.WriteScript;
import io.bucketwright.bench.ceiling.WriteTemplate;
import io.bucketwright.bench.cluster.BenchUser;
import io.bucketwright.bench.report.PhaseReport;
import io.bucketwright.bench.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/** Records what the controllers write for one object, and measures how fast the API server accepts that for many. */
record CeilingRun(BenchSession session, Workload workload, int count) {

    static final String ROLE = "ceiling";

    List<PhaseReport> run() throws InterruptedException {
        try {
            WriteScript script = record();
            Path file = session.cluster().processes().file("script.json");
            script.save(file);
            Path socket = session.cluster().processes().file("feed.sock");
            Files.deleteIfExists(socket);
            try (CeilingFeed feed = CeilingFeed.listen(socket);
                    Contender contender = session.contender()) {
                BenchUser user = session.cluster().administrator(ROLE, false);
                contender.add(
                        session.cluster()
                                .processes()
                                .start(
                                        ROLE,
                                        List.of(
                                                session.launcher(),
                                                "bench",
                                                "ceiling",
                                                "--kubeconfig=" + user.kubeconfig(),
                                                "--script=" + file,
                                                "--socket=" + socket,
                                                "--workers=" + session.workers()),
                                        Map.of()),
                        user);
                feed.accept();
                return phases(feed, contender);
            }
        } catch (IOException e) {
            throw new CommandException("The ceiling cannot be measured: " + e.getMessage() + ".", e);
        }
    }

    private List<PhaseReport> phases(CeilingFeed feed, Contender contender) throws InterruptedException {
        PhaseRun run = new PhaseRun(
                session,
                workload,
                contender,
                ROLE,
                (name, objects) -> feed.send(name, false, objects),
                (name, objects) -> feed.send(name, true, objects));
        // Each workload has names of its own: the garbage collector may not have deleted everything of the last one
        // yet.
        String prefix = workload.name() + "-ceiling";
        List<String> first = BatchNames.of(prefix, count);
        List<String> second = BatchNames.of(prefix + "-again", count);
        List<String> single = BatchNames.single(prefix);
        List<PhaseReport> phases = new ArrayList<>();
        phases.add(run.create(PhaseReport.BIND, first));
        phases.add(run.create(PhaseReport.WARM, second));
        phases.add(run.createSingly(single));
        PhaseReport deletion = run.delete(PhaseReport.DELETE, second);
        if (workload.measuresDeletion()) {
            phases.add(deletion);
        }
        var _ = run.delete(
                PhaseReport.DELETE,
                Stream.concat(first.stream(), single.stream()).toList());
        return phases;
    }

    /** The writes of the controllers for one object, as users whose requests are recorded. */
    private WriteScript record() throws InterruptedException {
        String sample = "sample" + UUID.randomUUID().toString().substring(0, 8);
        List<CreatedObject> created = new ArrayList<>();
        try (Contender contender = session.contender()) {
            contender.start(workload.roles(), role -> session.cluster().administrator("recorded-" + role.role(), true));
            PhaseRun run = new PhaseRun(
                    session, workload, contender, "record", (_, objects) -> created.addAll(objects), (_, _) -> {});
            List<String> bindLines = run.recordCreation("one object", sample);
            WriteRecording recording = new WriteRecording(sample, created);
            List<WriteTemplate> bind = recording.templates(bindLines);
            return new WriteScript(bind, recording.templates(run.recordDeletion("its deletion", sample)));
        }
    }
}
