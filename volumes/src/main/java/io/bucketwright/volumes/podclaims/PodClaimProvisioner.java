package io.bucketwright.volumes.podclaims;

import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.bucketwright.volumes.process.ProcessOptions;
import io.bucketwright.volumes.process.VolumeProcess;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.net.InetSocketAddress;
import java.util.function.UnaryOperator;

/**
 * A whole provisioner in one process: makes the claims that Pending pods ask for by annotation.
 *
 * {@snippet :
 * try (PodClaimProvisioner provisioner =
 *         PodClaimProvisioner.builder().controllerId("build-cache").build()) {
 *     provisioner.run();
 * }
 * }
 */
public final class PodClaimProvisioner implements AutoCloseable {

    private final VolumeProcess process;

    private PodClaimProvisioner(VolumeProcess process) {
        this.process = process;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Starts, and returns at once; an API server that is away is waited for. */
    public PodClaimProvisioner start() {
        process.start();
        return this;
    }

    /** Waits until pods are served, or would be if this process led. */
    public void awaitWorking() throws InterruptedException {
        process.awaitWorking();
    }

    /** Where {@code /livez}, {@code /readyz} and {@code /metrics} are. */
    public int port() {
        return process.port();
    }

    /** Starts, and returns when another thread closes it. */
    public void run() throws InterruptedException {
        process.start();
        process.awaitClosed();
    }

    /** Finishes what is in work, gives the lease back, and ends. */
    @Override
    public void close() {
        process.close();
    }

    /** What a provisioner is told; only its controller id is needed. */
    public static final class Builder {

        private final ProcessOptions options = new ProcessOptions();
        private String id = "";
        private String namespace = "";
        private boolean authorize;
        private int workers = 8;

        private Builder() {}

        /** How to reach the API server; without it, as kubectl or a pod would. */
        public Builder client(Config value) {
            options.client(value);
            return this;
        }

        /** Written to each claim's label; a releaser with the same id releases their volumes. */
        public Builder controllerId(String value) {
            id = value;
            return this;
        }

        /** Serves the pods of one namespace; without it, all. */
        public Builder namespace(String value) {
            namespace = value;
            return this;
        }

        /** Makes a claim only if the pod's service account could: a best effort, see docs/pod-claims.md. */
        public Builder authorize(boolean value) {
            authorize = value;
            return this;
        }

        /** How many volumes are worked on at once. */
        public Builder workers(int value) {
            workers = value;
            return this;
        }

        /** Runs for this lease, so that of several processes one works; without it, this process must be alone. */
        public Builder lease(String leaseNamespace, String name, LeaseTiming timing) {
            options.lease(new LeaseName(leaseNamespace, name), timing);
            return this;
        }

        /** This process, as the lease and the events name it. */
        public Builder identity(String value) {
            options.identity(value);
            return this;
        }

        /** Where health and metrics are served; without it, at a free local port. */
        public Builder status(InetSocketAddress address) {
            options.status(address);
            return this;
        }

        /** Wraps the HTTP client, as tests do that count or break requests. */
        public Builder http(UnaryOperator<HttpClient.Factory> wrap) {
            options.http(wrap);
            return this;
        }

        public PodClaimProvisioner build() {
            Settings settings = new Settings(new ControllerId(id), namespace, authorize, workers);
            VolumeProcess process = VolumeProcess.open(options, PodClaimController.REPORTER);
            process.add(PodClaimController.of(process.parts(), settings));
            return new PodClaimProvisioner(process);
        }
    }
}
