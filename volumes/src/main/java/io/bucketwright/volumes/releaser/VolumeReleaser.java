package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.bucketwright.volumes.podclaims.ControllerId;
import io.bucketwright.volumes.process.ProcessOptions;
import io.bucketwright.volumes.process.VolumeProcess;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.net.InetSocketAddress;
import java.util.function.UnaryOperator;

/**
 * A whole releaser in one process: makes Released volumes Available again.
 *
 * {@snippet :
 * try (VolumeReleaser releaser =
 *         VolumeReleaser.builder().controllerId("build-cache").build()) {
 *     releaser.run();
 * }
 * }
 */
public final class VolumeReleaser implements AutoCloseable {

    private final VolumeProcess process;

    private VolumeReleaser(VolumeProcess process) {
        this.process = process;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Starts, and returns at once; an API server that is away is waited for. */
    public VolumeReleaser start() {
        process.start();
        return this;
    }

    /** Waits until volumes are released, or would be if this process led. */
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

    /** What a releaser is told; only its controller id is needed. */
    public static final class Builder {

        private final ProcessOptions options = new ProcessOptions();
        private String id = "";
        private boolean automatic = true;
        private String scrubNamespace = "";
        private int workers = 8;

        private Builder() {}

        /** How to reach the API server; without it, as kubectl or a pod would. */
        public Builder client(Config value) {
            options.client(value);
            return this;
        }

        /** Whose volumes are released: this id stands in labels of volumes and claims, and in annotations of classes. */
        public Builder controllerId(String value) {
            id = value;
            return this;
        }

        /** Whether volumes of claims that a provisioner of the same id made are associated by themselves; they are. */
        public Builder automaticAssociation(boolean value) {
            automatic = value;
            return this;
        }

        /** Where volumes are emptied that must be; without it, none is. */
        public Builder scrubNamespace(String value) {
            scrubNamespace = value;
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

        public VolumeReleaser build() {
            Settings settings = new Settings(new ControllerId(id), automatic, scrubNamespace, workers);
            VolumeProcess process = VolumeProcess.open(options, ReleaserController.REPORTER);
            process.add(ReleaserController.of(process.parts(), settings));
            return new VolumeReleaser(process);
        }
    }
}
