package io.bucketwright.bench;

import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.AddedOption;
import io.bucketwright.bench.ceiling.CeilingCommand;
import io.bucketwright.bench.cluster.BenchCluster;
import io.bucketwright.bench.cluster.BenchProcesses;
import io.bucketwright.bench.cluster.InstalledLauncher;
import io.bucketwright.bench.report.BenchReport;
import io.bucketwright.bench.report.ReportTables;
import io.bucketwright.bench.report.SubjectReport;
import io.bucketwright.bench.run.BenchSession;
import io.bucketwright.bench.run.ChurnRun;
import io.bucketwright.bench.run.ForeignRun;
import io.bucketwright.bench.run.IdleRun;
import io.bucketwright.bench.run.WorkloadRun;
import io.bucketwright.bench.workload.BucketWorkload;
import io.bucketwright.bench.workload.CosiWorkload;
import io.bucketwright.bench.workload.DirectoryWorkload;
import io.bucketwright.bench.workload.ForeignClaims;
import io.bucketwright.bench.workload.ForeignLoad;
import io.bucketwright.bench.workload.ForeignVolumes;
import io.bucketwright.bench.workload.PodClaimWorkload;
import io.bucketwright.bench.workload.Workload;
import io.bucketwright.local.report.LocalClusterException;
import io.bucketwright.local.report.TerminalProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bucketwright bench}. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = {
            "Measures the controllers on a local cluster: rate, latency, requests, CPU and memory.",
            "The ceiling is a client that sends only the same writes, measured in the same run. See docs/performance.md."
        },
        subcommands = {CeilingCommand.class, PlotCommand.class, PageCommand.class})
public final class BenchCommand extends BaseCommand {

    private static final int COUNT = 500;
    private static final int SMALL_COUNT = 200;
    private static final int SCALE_COUNT = 20_000;
    private static final int SCALE_STEPS = 10;
    private static final int FOREIGN_COUNT = 50_000;
    private static final int VOLUME_COUNT = 20_000;
    private static final int CHURN_COUNT = 100;

    /** All processes that a bench can start. */
    private static final List<String> ROLES = List.of(
            "command",
            "ceiling",
            "buckets",
            "orphans",
            "cosi",
            "sidecar",
            "driver",
            "pod-claims",
            "releaser",
            "directories",
            IdleRun.ALL,
            ChurnRun.STANDBY);

    @Parameters(
            arity = "0..*",
            paramLabel = "SUBJECT",
            description = {
                "What to measure: buckets, cosi, volumes, idle (default: these four),",
                "scale, foreign, foreign-volumes, churn."
            })
    private List<BenchSubject> subjects =
            List.of(BenchSubject.BUCKETS, BenchSubject.COSI, BenchSubject.VOLUMES, BenchSubject.IDLE);

    @Option(
            names = {"-n", "--count"},
            paramLabel = "N",
            description =
                    "Number of objects of a batch (default: 500; cosi and volumes 200; scale 20000; foreign 50000;"
                            + " foreign-volumes 20000; churn 100).")
    private @Nullable Integer count;

    @Mixin
    private AddedOption<Duration> duration =
            AddedOption.duration("--duration", "30m", "How long churn creates and deletes claims");

    @Mixin
    private AddedOption<Duration> idlePeriod =
            AddedOption.duration("--idle-period", "20s", "How long idle measures each process");

    @Mixin
    private AddedOption<Integer> workers =
            AddedOption.workers(16, "objects that each controller and the ceiling write");

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Use the running local cluster with this directory (default: a temporary cluster).")
    private @Nullable Path dir;

    @Option(names = "--no-ceiling", description = "Do not measure the ceiling.")
    private boolean noCeiling;

    @Option(
            names = "--command",
            paramLabel = "COMMAND",
            description =
                    "With buckets or scale: measure this controller instead. It is run by a shell, with KUBECONFIG"
                            + " in its environment.")
    private @Nullable String command;

    @Option(
            names = "--provisioner",
            paramLabel = "NAME",
            description = "Provisioner of the StorageClass of claims (default: one of this bench).")
    private @Nullable String provisioner;

    @Option(
            names = "--param",
            paramLabel = "KEY=VALUE",
            description = "Parameter of the StorageClass of claims. Can be repeated.")
    private Map<String, String> parameters = Map.of();

    @Option(names = "--save", paramLabel = "FILE", description = "Also write the result to this file, as JSON.")
    private @Nullable Path save;

    @Mixin
    private AddedOption<AddedOption.Format> output =
            AddedOption.output("Format of the result (default: ${DEFAULT-VALUE}).");

    @Override
    public Integer call() throws InterruptedException {
        validate();
        String launcher = InstalledLauncher.path().toString();
        TerminalProgress progress = TerminalProgress.standard();
        try (BenchProcesses processes = BenchProcesses.open(ROLES);
                BenchCluster cluster = BenchCluster.open(dir, processes, progress);
                BenchSession session = BenchSession.open(cluster, progress, launcher, workers.value())) {
            List<SubjectReport> reports = new ArrayList<>();
            List<String> failed =
                    measureAll(subjects, (subject, measured) -> measure(subject, session, launcher, measured), reports);
            BenchReport report = Surroundings.report(cluster.client(), launcher, workers.value(), reports);
            // Before it is saved: a full disk must not cost the result.
            out().print(output.value() == AddedOption.Format.JSON ? report.json() + "\n" : ReportTables.text(report));
            out().flush();
            if (save != null) {
                Files.writeString(save, report.json() + "\n");
            }
            if (!failed.isEmpty()) {
                throw new CommandException("A part of the bench failed. " + String.join(" ", failed));
            }
            return 0;
        } catch (LocalClusterException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new CommandException("The bench failed: " + e.getMessage() + ".", e);
        }
    }

    /** Measures one part, which can have several results. */
    @FunctionalInterface
    interface Part {
        void measure(BenchSubject subject, Consumer<SubjectReport> measured) throws InterruptedException;
    }

    /**
     * Measures each part. One that fails costs no other: what they measured took minutes.
     *
     * @param reports gets the results
     * @return what failed
     */
    static List<String> measureAll(List<BenchSubject> subjects, Part part, List<SubjectReport> reports)
            throws InterruptedException {
        List<String> failed = new ArrayList<>();
        for (BenchSubject subject : subjects) {
            try {
                part.measure(subject, reports::add);
            } catch (RuntimeException e) {
                failed.add(subject + ": " + (e instanceof CommandException ? e.getMessage() : e));
            }
        }
        return failed;
    }

    private void validate() {
        if (count != null && count < 1) {
            throw usageError("-n must be at least 1");
        }
        if (!duration.value().isPositive() || !idlePeriod.value().isPositive()) {
            throw usageError("--duration and --idle-period must be positive");
        }
        if (command != null
                && subjects.stream()
                        .anyMatch(subject -> subject != BenchSubject.BUCKETS && subject != BenchSubject.SCALE)) {
            throw usageError("--command requires the subject buckets or scale");
        }
        if (save != null && !Files.isDirectory(save.toAbsolutePath().resolveSibling(""))) {
            throw usageError("The directory of --save " + save + " does not exist");
        }
    }

    private void measure(BenchSubject subject, BenchSession session, String launcher, Consumer<SubjectReport> reports)
            throws InterruptedException {
        BenchCluster cluster = session.cluster();
        Workload buckets = new BucketWorkload(cluster, launcher, workers.value(), command, provisioner, parameters);
        Workload cosi = new CosiWorkload(cluster, launcher, workers.value());
        Workload pods = new PodClaimWorkload(cluster, launcher, workers.value());
        Workload directories = new DirectoryWorkload(cluster, launcher, workers.value());
        switch (subject) {
            case BUCKETS -> reports.accept(run(session, buckets, COUNT, 0));
            case COSI -> reports.accept(run(session, cosi, SMALL_COUNT, 0));
            case VOLUMES -> {
                reports.accept(run(session, pods, SMALL_COUNT, 0));
                reports.accept(run(session, directories, SMALL_COUNT, 0));
            }
            case SCALE -> reports.accept(run(session, buckets, SCALE_COUNT, SCALE_STEPS));
            case FOREIGN -> reports.accept(foreign(session, new ForeignClaims(cluster, buckets), FOREIGN_COUNT));
            case FOREIGN_VOLUMES ->
                reports.accept(
                        foreign(session, new ForeignVolumes(cluster, launcher, pods, directories), VOLUME_COUNT));
            case CHURN ->
                new ChurnRun(session, buckets, BucketWorkload.OTHER_ACCOUNT, countOr(CHURN_COUNT), duration.value())
                        .run()
                        .forEach(reports);
            case IDLE ->
                reports.accept(
                        new IdleRun(session, List.of(buckets, cosi, pods, directories), idlePeriod.value()).run());
        }
    }

    private SubjectReport run(BenchSession session, Workload workload, int standard, int steps)
            throws InterruptedException {
        return new WorkloadRun(session, workload, countOr(standard), steps, !noCeiling).run();
    }

    private SubjectReport foreign(BenchSession session, ForeignLoad load, int standard) throws InterruptedException {
        return new ForeignRun(session, load, countOr(standard)).run();
    }

    private int countOr(int standard) {
        return count == null ? standard : count;
    }
}
