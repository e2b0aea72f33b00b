package io.bucketwright.app.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.doctor.checks.Diagnosis;
import io.bucketwright.app.doctor.observation.CheckName;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.app.doctor.observation.ClusterObserver;
import io.bucketwright.app.doctor.observation.DoctorScope;
import io.bucketwright.app.options.AddedOption;
import io.bucketwright.app.options.ApiServerOptions;
import io.bucketwright.store.Stores;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bucketwright doctor}. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description = {
            "Checks an installation, and reports problems with what to do about them. Changes nothing.",
            "Checks only what you may read, and reports what you may not read. See docs/troubleshooting.md."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:No problems found",
            "1:Errors or warnings found, or the cluster cannot be reached",
            "2:The command line is not valid"
        })
public final class DoctorCommand extends BaseCommand {

    private static final int DEFAULT_WIDTH = 80;
    private static final int NARROWEST = 40;

    @Mixin
    private ApiServerOptions server = new ApiServerOptions();

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "CHECK",
            description = "Checks to run: server, crds, leaders, permissions, classes, stores, claims, orphans,"
                    + " finalizers. Default: all.")
    private List<CheckName> only = Arrays.asList(CheckName.values());

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "Namespace whose claims and requests are checked (default: all namespaces).")
    private String namespace = "";

    @Option(
            names = "--controller-namespace",
            defaultValue = "bucketwright",
            paramLabel = "NAMESPACE",
            description = "Namespace in which the controllers run (default: ${DEFAULT-VALUE}).")
    private String controllerNamespace = "";

    @Option(
            names = "--provisioner",
            paramLabel = "NAME",
            split = ",",
            description = "Provisioner names of StorageClasses for buckets (default: those of the controllers that are"
                    + " installed, and bucketwright.io/bucket).")
    private Set<String> provisioners = Set.of();

    @Option(
            names = "--class-default",
            paramLabel = "PARAMETER=VALUE",
            description = "Class parameter that the controller adds; can be repeated (default: what the controller"
                    + " publishes).")
    private Map<String, String> classDefaults = Map.of();

    @Option(
            names = "--store",
            paramLabel = "KIND",
            description =
                    "Kind of object store of the classes (default: what their controller publishes, otherwise s3).")
    private String store = "";

    @Mixin
    private AddedOption<Duration> stuckAfter = AddedOption.duration(
            "--stuck-after", "5m", "Time after which a pending claim or an unfinished deletion is reported");

    @Mixin
    private AddedOption<AddedOption.Format> output = AddedOption.output("Output format.");

    @Override
    public Integer call() throws JsonProcessingException, InterruptedException {
        DoctorReport report = report();
        switch (output.value()) {
            case JSON -> printJson(report);
            case TEXT -> new ReportText(report, width()).lines().forEach(out()::println);
        }
        return report.exitCode();
    }

    private DoctorReport report() throws InterruptedException {
        DoctorScope scope = new DoctorScope(
                Set.copyOf(only),
                namespace,
                controllerNamespace,
                provisioners,
                store,
                classDefaults,
                stuckAfter.value());
        requireStore();
        KubernetesClient client = server.open();
        try (client) {
            ClusterObservation observed = new ClusterObserver(client, scope).observe();
            return DoctorReport.of(
                    observed.serverVersion(), scope.checks().stream().sorted().toList(), Diagnosis.of(observed));
        }
    }

    /** Otherwise each class would be reported as invalid. */
    private void requireStore() {
        try (Stores installed = Stores.installed()) {
            if (!store.isEmpty()) {
                var _ = installed.factory(store);
            }
        } catch (Invalid e) {
            throw usageError(e);
        }
    }

    private static int width() {
        return Optional.ofNullable(System.getenv("COLUMNS"))
                .filter(columns -> columns.matches("\\d{1,4}"))
                .map(Integer::parseInt)
                .filter(columns -> columns >= NARROWEST)
                .orElse(DEFAULT_WIDTH);
    }
}
