package io.bucketwright.cosi.controller;

import io.bucketwright.runtime.engine.ControllerBuilder;
import io.bucketwright.runtime.engine.ControllerProcess;

/**
 * The central controller of COSI in one process.
 *
 * {@snippet :
 * try (CosiController controller = CosiController.builder().build()) {
 *     controller.run();
 * }
 * }
 */
public final class CosiController implements AutoCloseable {

    /** Whom its events name as their source. */
    public static final String REPORTER = "bucketwright.io/cosi";

    private final ControllerProcess process;

    private CosiController(ControllerProcess process) {
        this.process = process;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Starts, and returns at once; an API server that is away is waited for. */
    public CosiController start() {
        process.start();
        return this;
    }

    /** Waits until requests are worked on, or would be if this process led. */
    public void awaitWorking() throws InterruptedException {
        process.awaitWorking();
    }

    /** Starts, and returns when another thread closes it. */
    public void run() throws InterruptedException {
        process.start();
        process.awaitClosed();
    }

    /** The metrics as Prometheus reads them. */
    public String metrics() {
        return process.metrics();
    }

    /** Finishes what is in work, gives the lease back, and ends. */
    @Override
    public void close() {
        process.close();
    }

    /** What a controller is told; nothing is needed. */
    public static final class Builder extends ControllerBuilder<Builder> {

        private int workers = 8;

        private Builder() {}

        @Override
        protected Builder self() {
            return this;
        }

        /** How many objects of each kind are worked on at once. */
        public Builder workers(int value) {
            workers = value;
            return this;
        }

        public CosiController build() {
            ControllerProcess process = open();
            CosiLoops.of(role(process, REPORTER), workers).forEach(process::with);
            return new CosiController(process);
        }
    }
}
