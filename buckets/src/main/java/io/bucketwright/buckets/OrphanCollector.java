package io.bucketwright.buckets;

import io.bucketwright.buckets.orphans.OrphanController;
import io.bucketwright.buckets.orphans.OrphanDecision;
import io.bucketwright.runtime.engine.ControllerBuilder;
import io.bucketwright.runtime.engine.ControllerProcess;
import java.time.Duration;

/**
 * Finds ObjectBuckets whose claim is gone, whoever made them, reports them, and after a grace period deletes them, so
 * that their provisioner lets go of the bucket. One for each cluster.
 */
public final class OrphanCollector implements AutoCloseable {

    private final ControllerProcess process;

    private OrphanCollector(ControllerProcess process) {
        this.process = process;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Starts, and returns at once. */
    public OrphanCollector start() {
        process.start();
        return this;
    }

    public void awaitWorking() throws InterruptedException {
        process.awaitWorking();
    }

    /** Starts, and returns when another thread closes it. */
    public void run() throws InterruptedException {
        process.start();
        process.awaitClosed();
    }

    @Override
    public void close() {
        process.close();
    }

    /** What the collector is told; nothing is needed. */
    public static final class Builder extends ControllerBuilder<Builder> {

        private Duration grace = Duration.ofHours(1);
        private boolean dryRun;

        private Builder() {}

        @Override
        protected Builder self() {
            return this;
        }

        /** How long an orphan is only reported. */
        public Builder grace(Duration value) {
            grace = value;
            return this;
        }

        /** Whether to report and change nothing. */
        public Builder dryRun(boolean value) {
            dryRun = value;
            return this;
        }

        public OrphanCollector build() {
            OrphanDecision rules = new OrphanDecision(grace, dryRun);
            ControllerProcess process = open();
            process.with(OrphanController.of(role(process, "bucketwright.io/orphans"), rules));
            return new OrphanCollector(process);
        }
    }
}
