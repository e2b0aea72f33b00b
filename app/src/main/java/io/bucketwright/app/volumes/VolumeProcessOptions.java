package io.bucketwright.app.volumes;

import io.bucketwright.app.options.LeaseDurationOption;
import io.bucketwright.app.options.PositiveNumberConverter;
import io.bucketwright.runtime.leader.LeaseTiming;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Flags of {@code pvc-provisioner} and {@code pv-releaser}: controller id, namespace, lease and workers. */
final class VolumeProcessOptions {

    @Option(
            names = {"--controller-id", "-controller-id"},
            defaultValue = "",
            paramLabel = "ID",
            description = "Required. Id of this controller; provisioner and releaser must use the same. A label value"
                    + " of at most 63 characters.")
    private String id = "";

    @Option(
            names = {"--namespace", "-namespace"},
            defaultValue = "",
            paramLabel = "NAMESPACE",
            description = "Namespace whose pods are reconciled (default: all namespaces). The releaser uses it only as"
                    + " the default of --lease-lock-namespace.")
    private String namespace = "";

    @Option(
            names = {"--lease-lock-name", "-lease-lock-name"},
            defaultValue = "",
            paramLabel = "NAME",
            description = "Required. Name of the Lease for leader election.")
    private String leaseName = "";

    @Option(
            names = {"--lease-lock-namespace", "-lease-lock-namespace"},
            defaultValue = "",
            paramLabel = "NAMESPACE",
            description = "Namespace of the Lease (default: --namespace).")
    private String leaseNamespace = "";

    @Option(
            names = {"--lease-lock-id", "-lease-lock-id"},
            defaultValue = "",
            paramLabel = "ID",
            description = "Holder identity of this process in the Lease; must be unique (default: generated).")
    private String leaseId = "";

    @Mixin
    private LeaseDurationOption leaseDuration = new LeaseDurationOption();

    @Option(
            names = "--workers",
            defaultValue = "8",
            paramLabel = "N",
            converter = PositiveNumberConverter.class,
            description = "Number of objects that are reconciled at once (default: ${DEFAULT-VALUE}).")
    private int workers;

    /**
     * Checks the flags that depend on each other.
     *
     * @throws IllegalArgumentException if a required flag is missing
     */
    void check() {
        if (leaseName.isBlank()) {
            throw new IllegalArgumentException("Missing required flag -lease-lock-name: the name of the Lease");
        }
        if (leaseNamespace().isBlank()) {
            throw new IllegalArgumentException(
                    "Missing required flag -lease-lock-namespace: without it, -namespace must be set");
        }
    }

    String id() {
        return id;
    }

    String namespace() {
        return namespace;
    }

    String leaseName() {
        return leaseName;
    }

    String leaseNamespace() {
        return leaseNamespace.isBlank() ? namespace : leaseNamespace;
    }

    int workers() {
        return workers;
    }

    /** Empty if it is to be generated. */
    String identity() {
        return leaseId;
    }

    LeaseTiming timing() {
        return leaseDuration.timing();
    }
}
