package io.bucketwright.app.cosi;

import io.bucketwright.app.options.DurationOption;
import io.bucketwright.app.options.LeaderElectionOptions;
import io.bucketwright.app.options.SocketOption;
import io.bucketwright.app.options.WorkersOption;
import io.bucketwright.app.process.ControllerProcessCommand;
import io.bucketwright.cosi.sidecar.CosiSidecar;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.store.errors.StoreException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
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
            "If the API server or the driver becomes unreachable, the sidecar retries. See docs/cosi-sidecar.md."
        })
final class SidecarCommand extends ControllerProcessCommand {

    @Option(
            names = "--provisioner",
            required = true,
            paramLabel = "NAMESPACE/NAME",
            description = "Provisioner name in classes. The sidecar keeps the Secrets that it creates in that"
                    + " namespace.")
    private String provisioner = "";

    @Mixin
    private SocketOption driver = new SocketOption("--driver", "Socket of the driver");

    @Option(
            names = "--with-driver",
            description = "Run the driver in this process, for the store in --store, --param and --credentials. There"
                    + " is no socket then. See docs/cosi-driver.md.")
    private boolean withDriver;

    @Mixin
    private DriverOptions driverOptions = new DriverOptions();

    @Mixin
    private DurationOption driverTimeout =
            new DurationOption("--driver-timeout", "10s", "Timeout of one call to the driver");

    @Option(
            names = "--secret-namespaces",
            split = ",",
            paramLabel = "NAMESPACE",
            description = "Further namespaces from which provisioner Secrets may be read (default: only the"
                    + " provisioner's namespace).")
    private Set<String> secretNamespaces = new LinkedHashSet<>();

    @Mixin
    private WorkersOption workers = new WorkersOption(8, "objects of each kind that are reconciled");

    @Mixin
    private LeaderElectionOptions leaderElection = new LeaderElectionOptions();

    @Override
    protected void addControllers(ControllerProcess process, String ownNamespace) {
        CosiSidecar.Builder builder = CosiSidecar.builder()
                .provisioner(provisioner)
                .workers(workers.value())
                .driverTimeout(driverTimeout.value())
                .secretNamespaces(secretNamespaces);
        int slash = provisioner.indexOf('/');
        leaderElection.apply(
                builder, provisioner.substring(0, slash), "cosi-sidecar-" + provisioner.substring(slash + 1));
        if (withDriver) {
            addDriver(process, builder, provisioner.substring(slash + 1));
        } else {
            builder.driver(driver.value()).addTo(process);
        }
    }

    private void addDriver(ControllerProcess process, CosiSidecar.Builder builder, String name) {
        try {
            DriverProcess.addTo(process, builder, driverOptions, name);
        } catch (StoreException.Invalid e) {
            throw usageError(e);
        }
    }

    @Override
    protected Map<String, ?> description() {
        return Map.of("provisioner", provisioner, "driver", withDriver ? driverOptions.store() : driver.value());
    }
}
