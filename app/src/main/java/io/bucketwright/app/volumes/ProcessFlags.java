package io.bucketwright.app.volumes;

import io.bucketwright.runtime.leader.LeaseTiming;
import io.bucketwright.volumes.podclaims.ControllerId;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Option;

/** What both commands are told about themselves: who they are, which lease they run for, where they are watched. */
final class ProcessFlags {

    @Option(
            names = {"--controller-id", "-controller-id"},
            defaultValue = "",
            paramLabel = "ID",
            description = "This controller's identity; use the same for provisioner and releaser. Needed; a label's"
                    + " value, so at most 63 characters.")
    private String id = "";

    @Option(
            names = {"--namespace", "-namespace"},
            defaultValue = "",
            paramLabel = "NAMESPACE",
            description = "Serve the pods of this namespace only (default: all). For the releaser it is only where the"
                    + " lease is.")
    private String namespace = "";

    @Option(
            names = {"--lease-lock-name", "-lease-lock-name"},
            defaultValue = "",
            paramLabel = "NAME",
            description = "The Lease that several processes of this controller share. Needed.")
    private String leaseName = "";

    @Option(
            names = {"--lease-lock-namespace", "-lease-lock-namespace"},
            defaultValue = "",
            paramLabel = "NAMESPACE",
            description = "Where that Lease is (default: --namespace).")
    private String leaseNamespace = "";

    @Option(
            names = {"--lease-lock-id", "-lease-lock-id"},
            defaultValue = "",
            paramLabel = "ID",
            description =
                    "This process, as the Lease names its holder; must differ between processes (default: made up).")
    private String leaseId = "";

    @Option(
            names = "--lease-seconds",
            defaultValue = "15",
            paramLabel = "SECONDS",
            description = "How long a dead leader is waited for (default: ${DEFAULT-VALUE}).")
    private int leaseSeconds;

    @Option(
            names = "--workers",
            defaultValue = "8",
            paramLabel = "N",
            description = "How many volumes are worked on at once (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--listen",
            defaultValue = "127.0.0.1:0",
            paramLabel = "HOST:PORT",
            description = "Where /livez, /readyz and /metrics are served; port 0 takes a free one (default:"
                    + " ${DEFAULT-VALUE}).")
    private String listen = "";

    /** Judged as a whole, so that nothing starts with half of it. */
    void check() {
        ControllerId _ = new ControllerId(id);
        if (leaseName.isBlank()) {
            throw new IllegalArgumentException("-lease-lock-name is missing: name the Lease that processes share");
        }
        if (leaseNamespace().isBlank()) {
            throw new IllegalArgumentException(
                    "-lease-lock-namespace is missing, and there is no -namespace to take its place");
        }
        if (workers < 1) {
            throw new IllegalArgumentException("--workers must be at least 1, not " + workers);
        }
        LeaseTiming _ = timing();
        InetSocketAddress _ = address();
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

    String identity() {
        return leaseId.isBlank()
                ? Optional.ofNullable(System.getenv("HOSTNAME")).orElse("bucketwright") + "-"
                        + UUID.randomUUID().toString().substring(0, 8)
                : leaseId;
    }

    LeaseTiming timing() {
        Duration lease = Duration.ofSeconds(leaseSeconds);
        return LeaseTiming.lasting(lease);
    }

    InetSocketAddress address() {
        int colon = listen.lastIndexOf(':');
        try {
            return new InetSocketAddress(listen.substring(0, colon), Integer.parseInt(listen.substring(colon + 1)));
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new IllegalArgumentException("--listen must be HOST:PORT, not \"" + listen + "\"", e);
        }
    }
}
