package io.bucketwright.app.volumes;

import io.bucketwright.app.options.AddedOption;
import io.bucketwright.app.options.KlogOptions;
import io.bucketwright.app.process.ControllerProcessCommand;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.runtime.leader.LeaseTiming;
import java.util.Map;
import org.slf4j.Logger;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Base class of the two volume controllers that replace programs in Go. */
abstract class VolumeCommand extends ControllerProcessCommand {

    @Option(
            names = {"--controller-id", "-controller-id"},
            paramLabel = "ID",
            description = "Required. Id of this controller; provisioner and releaser must use the same. A label value"
                    + " of at most 63 characters.")
    private String id = "";

    @Option(
            names = {"--namespace", "-namespace"},
            paramLabel = "NAMESPACE",
            description = "Namespace whose pods are reconciled (default: all namespaces). The releaser uses it only as"
                    + " the default of --lease-lock-namespace.")
    private String namespace = "";

    @Option(
            names = {"--lease-lock-name", "-lease-lock-name"},
            paramLabel = "NAME",
            description = "Required. Name of the Lease for leader election.")
    private String leaseName = "";

    @Option(
            names = {"--lease-lock-namespace", "-lease-lock-namespace"},
            paramLabel = "NAMESPACE",
            description = "Namespace of the Lease (default: --namespace).")
    private String leaseNamespace = "";

    @Option(
            names = {"--lease-lock-id", "-lease-lock-id"},
            paramLabel = "ID",
            description = "Holder identity of this process in the Lease; must be unique (default: generated).")
    private String leaseId = "";

    @Mixin
    private AddedOption<LeaseTiming> leaseDuration = AddedOption.leaseDuration();

    @Mixin
    private AddedOption<Integer> workers = AddedOption.workers(8, "objects that are reconciled");

    @Mixin
    private KlogOptions klog = new KlogOptions();

    /** The controller without its lease. */
    abstract ControllerProcessBuilder<?> builder();

    @Override
    protected final void addControllers(ControllerProcess process, String ownNamespace) {
        if (leaseName.isBlank()) {
            throw new IllegalArgumentException("Missing required flag -lease-lock-name: the name of the Lease");
        }
        if (leaseNamespace().isBlank()) {
            throw new IllegalArgumentException(
                    "Missing required flag -lease-lock-namespace: without it, -namespace must be set");
        }
        ControllerProcessBuilder<?> builder = builder();
        builder.lease(leaseNamespace(), leaseName, leaseDuration.value()).describe(LeaseName.SERVES, id);
        builder.addTo(process);
    }

    @Override
    protected final String identity() {
        return leaseId.isBlank() ? super.identity() : leaseId;
    }

    @Override
    protected void warn(Logger log) {
        klog.warnAboutIgnored(log);
    }

    final String id() {
        return id;
    }

    final String namespace() {
        return namespace;
    }

    final int workers() {
        return workers.value();
    }

    @Override
    protected final Map<String, ?> description() {
        return Map.of("controllerId", id, "lease", leaseNamespace() + "/" + leaseName);
    }

    private String leaseNamespace() {
        return leaseNamespace.isBlank() ? namespace : leaseNamespace;
    }
}
