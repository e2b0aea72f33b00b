package io.bucketwright.buckets;

import io.bucketwright.buckets.orphans.OrphanController;
import io.bucketwright.buckets.orphans.OrphanRules;
import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.UnaryOperator;

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
    public static final class Builder {

        private final ProcessOptions options = new ProcessOptions();
        private Duration grace = Duration.ofHours(1);
        private boolean dryRun;

        private Builder() {}

        /** How to reach the API server; without it, as kubectl or a pod would. */
        public Builder client(Config value) {
            options.config = value;
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

        /** Runs for this lease, so that of several processes one works. */
        public Builder lease(String namespace, String name, LeaseTiming timing) {
            options.lease = new LeaseName(namespace, name);
            options.timing = timing;
            return this;
        }

        /** Where {@code /livez}, {@code /readyz} and {@code /metrics} are served. */
        public Builder status(InetSocketAddress address) {
            options.status = address;
            return this;
        }

        /** Wraps the HTTP client, as tests do that count or break requests. */
        public Builder http(UnaryOperator<HttpClient.Factory> wrap) {
            options.http = wrap;
            return this;
        }

        public OrphanCollector build() {
            OrphanRules rules = new OrphanRules(grace, dryRun);
            ControllerProcess process = ControllerProcess.open(options, "bucketwright.io/orphans");
            process.add(OrphanController.of(process.parts(), rules));
            return new OrphanCollector(process);
        }
    }
}
