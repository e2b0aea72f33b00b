package io.bucketwright.app.cosi;

import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.AddedOption;
import io.bucketwright.app.options.CosiApiOption;
import io.bucketwright.app.options.KlogOptions;
import io.bucketwright.app.options.LeaderElectionOptions;
import io.bucketwright.app.process.ControllerProcessCommand;
import io.bucketwright.cosi.sidecar.CosiSidecar;
import io.bucketwright.cosi.sidecar.driver.SidecarBuilder;
import io.bucketwright.cosi.sidecar.released.ReleasedSidecar;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.store.errors.StoreException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bucketwright cosi sidecar}. */
@Command(
        name = "sidecar",
        mixinStandardHelpOptions = true,
        description = {
            "Reconciles the Buckets and BucketAccesses of one provisioner by calling a COSI driver: one that listens at"
                    + " --driver, or with --with-driver one in this process.",
            "With --provisioner, the objects of cosi.io. Without it, those of objectstorage.k8s.io, the released API.",
            "If the API server or the driver becomes unreachable, the sidecar retries. See docs/cosi-sidecar.md."
        })
final class SidecarCommand extends ControllerProcessCommand {

    private static final Duration DRIVER_START = Duration.ofSeconds(150);

    @Option(
            names = "--provisioner",
            paramLabel = "NAMESPACE/NAME",
            description =
                    "Provisioner name in classes of cosi.io. The sidecar keeps the Secrets that it creates in that"
                            + " namespace.")
    private String provisioner = "";

    @Option(
            names = "--driver-name",
            paramLabel = "NAME",
            description = "Driver name in classes of objectstorage.k8s.io (default: the driver is asked for it).")
    private String driverName = "";

    @Mixin
    private AddedOption<String> driver = AddedOption.socket("--driver", "Socket of the driver");

    @Option(
            names = {"--driver-addr", "-d"},
            paramLabel = "unix:///PATH",
            description = "As --driver, under the name of the reference implementation (default: the variable"
                    + " DRIVER_ADDR, otherwise --driver).")
    private String driverAddress = "";

    /** Vendors' manifests set it. */
    @Option(
            names = {"--debug", "-g"},
            description = "No effect: a flag of the reference implementation. See --log-level.")
    private boolean debug;

    @Option(
            names = "--with-driver",
            description = "Run the driver in this process, for the store in --store, --param and --credentials. There"
                    + " is no socket then. See docs/cosi-driver.md.")
    private boolean withDriver;

    @Mixin
    private DriverOptions driverOptions = new DriverOptions();

    @Mixin
    private AddedOption<Duration> driverTimeout =
            AddedOption.duration("--driver-timeout", "5m", "Timeout of one call to the driver, at most 10m");

    @Option(
            names = "--secret-namespaces",
            split = ",",
            paramLabel = "NAMESPACE",
            description = "Further namespaces from which provisioner Secrets may be read (default: only the"
                    + " provisioner's namespace).")
    private Set<String> secretNamespaces = new LinkedHashSet<>();

    @Option(
            names = "--secret-namespace-selector",
            split = ",",
            paramLabel = "LABEL=VALUE",
            description = "Labels of further namespaces from which provisioner Secrets may be read, also of namespaces"
                    + " that are created later (default: none).")
    private Map<String, String> secretNamespaceSelector = new LinkedHashMap<>();

    @Mixin
    private AddedOption<Integer> workers = AddedOption.workers(8, "objects of each kind that are reconciled");

    @Mixin
    private KlogOptions klog = new KlogOptions();

    @Mixin
    private LeaderElectionOptions leaderElection = new LeaderElectionOptions(
            "the namespace in --provisioner; without" + " it, the namespace of the pod or of the kubeconfig's context");

    @Override
    protected void addControllers(ControllerProcess process, String ownNamespace) {
        if (provisioner.isEmpty()) {
            addReleased(process, ownNamespace);
        } else {
            addCosi(process);
        }
    }

    /** The driver is waited for as long as by the reference implementation; then the process ends, and is restarted. */
    private void addReleased(ControllerProcess process, String ownNamespace) {
        if (withDriver && driverName.isEmpty()) {
            throw new IllegalArgumentException("--with-driver needs the driver's name: set --driver-name, or"
                    + " --provisioner for objects of cosi.io.");
        }
        if (!secretNamespaces.isEmpty() || !secretNamespaceSelector.isEmpty()) {
            throw new IllegalArgumentException("--secret-namespaces and --secret-namespace-selector are for objects of"
                    + " cosi.io: set --provisioner, or remove them.");
        }
        CosiApiOption.refusal(process).ifPresent(refusal -> {
            throw new CommandException(refusal);
        });
        if (driverName.isEmpty()) {
            driverName = requestDriverName();
        }
        ReleasedSidecar.Builder builder = ReleasedSidecar.builder()
                .describe(LeaseName.SERVES, driverName)
                .driverName(driverName)
                .workers(workers.value())
                .driverTimeout(driverTimeout.value());
        leaderElection.apply(builder, podNamespace(ownNamespace), ReleasedNames.leaseOf(driverName));
        add(process, builder, driverName);
    }

    private static String podNamespace(String ownNamespace) {
        return Optional.ofNullable(System.getenv("POD_NAMESPACE"))
                .filter(value -> !value.isBlank())
                .orElse(ownNamespace);
    }

    private String requestDriverName() {
        try {
            return ReleasedSidecar.requestDriverName(socket(), DRIVER_START);
        } catch (IllegalStateException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e);
        }
    }

    private String socket() {
        if (!driverAddress.isEmpty()) {
            return driverAddress;
        }
        return Optional.ofNullable(System.getenv("DRIVER_ADDR"))
                .filter(value -> !value.isBlank())
                .orElseGet(driver::value);
    }

    private void addCosi(ControllerProcess process) {
        CosiSidecar.Builder builder = CosiSidecar.builder()
                .describe(LeaseName.SERVES, provisioner)
                .provisioner(provisioner)
                .workers(workers.value())
                .driverTimeout(driverTimeout.value())
                .secretNamespaces(secretNamespaces)
                .secretNamespaceSelector(secretNamespaceSelector);
        int slash = provisioner.indexOf('/');
        String name = provisioner.substring(slash + 1);
        leaderElection.apply(builder, provisioner.substring(0, slash), "cosi-sidecar-" + name);
        add(process, builder, name);
    }

    /** @param driver the name of the driver in this process, if there is one */
    private void add(ControllerProcess process, SidecarBuilder<?> builder, String driver) {
        if (!withDriver) {
            builder.driver(socket()).addTo(process);
            return;
        }
        try {
            DriverProcess.addTo(process, builder, driverOptions, driver);
        } catch (StoreException.Invalid e) {
            throw usageError(e);
        }
    }

    @Override
    protected void warn(Logger log) {
        klog.warnAboutIgnored(log);
        if (debug) {
            log.warn("--debug has no effect; set the log level with --log-level before the command");
        }
    }

    @Override
    protected Map<String, ?> description() {
        return Map.of(
                "provisioner",
                provisioner.isEmpty() ? driverName : provisioner,
                "driver",
                withDriver ? driverOptions.store() : socket());
    }
}
