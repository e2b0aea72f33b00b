package io.bucketwright.runtime.queue;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/** Metrics of a queue: depth, adds, retries, how long keys wait and how long reconciling takes. */
final class QueueMetrics {

    private final Counter adds;
    private final Counter retries;
    private final Timer waiting;
    private final Timer working;

    QueueMetrics(MeterRegistry meters, String queue, WorkQueue<?> source) {
        Tags tags = Tags.of("queue", queue);
        adds = Counter.builder("bucketwright.queue.adds")
                .tags(tags)
                .description("Keys added to the queue")
                .register(meters);
        retries = Counter.builder("bucketwright.queue.retries")
                .tags(tags)
                .description("Keys added again after a failure")
                .register(meters);
        waiting = Timer.builder("bucketwright.queue.waiting")
                .tags(tags)
                .description("Time a key was ready before a worker took it")
                .register(meters);
        working = Timer.builder("bucketwright.queue.working")
                .tags(tags)
                .description("Time to reconcile a key")
                .register(meters);
        Gauge.builder("bucketwright.queue.depth", source, WorkQueue::depth)
                .tags(tags)
                .description("Keys that wait for a worker")
                .register(meters);
        Gauge.builder("bucketwright.queue.backing.off", source, WorkQueue::failing)
                .tags(tags)
                .description("Keys whose last reconciliation failed")
                .register(meters);
    }

    void added() {
        adds.increment();
    }

    void retried() {
        retries.increment();
    }

    void waited(long nanos) {
        waiting.record(nanos, TimeUnit.NANOSECONDS);
    }

    void worked(long nanos) {
        working.record(nanos, TimeUnit.NANOSECONDS);
    }
}
