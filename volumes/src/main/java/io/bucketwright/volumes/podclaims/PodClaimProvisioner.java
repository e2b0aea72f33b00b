package io.bucketwright.volumes.podclaims;

import io.bucketwright.runtime.engine.ControllerBuilder;
import io.bucketwright.runtime.engine.ControllerProcess;

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

    private final ControllerProcess process;

    private PodClaimProvisioner(ControllerProcess process) {
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
    public static final class Builder extends ControllerBuilder<Builder> {

        private String id = "";
        private String namespace = "";
        private boolean authorize;
        private int workers = 8;

        private Builder() {}

        @Override
        protected Builder self() {
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

        public PodClaimProvisioner build() {
            Settings settings = new Settings(new ControllerId(id), namespace, authorize, workers);
            ControllerProcess process = open();
            process.with(PodClaimController.of(role(process, PodClaimController.REPORTER), settings));
            return new PodClaimProvisioner(process);
        }
    }
}
