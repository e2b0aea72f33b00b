package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.engine.ControllerBuilder;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.volumes.ControllerId;

/**
 * Runs the volume releaser, which makes Released volumes Available again.
 *
 * {@snippet :
 * try (VolumeReleaser releaser =
 *         VolumeReleaser.builder().controllerId("build-cache").build()) {
 *     releaser.run();
 * }
 * }
 */
public final class VolumeReleaser implements AutoCloseable {

    private final ControllerProcess process;

    private VolumeReleaser(ControllerProcess process) {
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
    public static final class Builder extends ControllerBuilder<Builder> {

        private String id = "";
        private boolean automatic = true;
        private String scrubNamespace = "";
        private int workers = 8;

        private Builder() {}

        @Override
        protected Builder self() {
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

        public VolumeReleaser build() {
            ReleaserSettings settings = new ReleaserSettings(new ControllerId(id), automatic, scrubNamespace, workers);
            ControllerProcess process = open();
            process.with(ReleaserController.of(role(process, ReleaserController.REPORTER), settings));
            return new VolumeReleaser(process);
        }
    }
}
