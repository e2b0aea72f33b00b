package io.bucketwright.runtime.queue;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/** Metrics of a queue: depth, adds, retries, how long keys wait and how long reconciling takes. */
record QueueMetrics(Counter adds, Counter retries, Timer waiting, Timer working) {

    static QueueMetrics of(MeterRegistry meters, String queue, WorkQueue<?> source) {
        Tags tags = Tags.of("queue", queue);
        Gauge.builder("bucketwright.queue.depth", source, WorkQueue::depth)
                .tags(tags)
                .description("Keys that wait for a worker")
                .register(meters);
        Gauge.builder("bucketwright.queue.backing.off", source, WorkQueue::failing)
                .tags(tags)
                .description("Keys that are retried because their last reconciliation or call to another system failed")
                .register(meters);
        return new QueueMetrics(
                counter("bucketwright.queue.adds", "Keys added to the queue", tags, meters),
                counter("bucketwright.queue.retries", "Keys added again after a failure", tags, meters),
                timer("bucketwright.queue.waiting", "Time a key was ready before a worker took it", tags, meters),
                timer("bucketwright.queue.working", "Time to reconcile a key", tags, meters));
    }

    private static Counter counter(String name, String description, Tags tags, MeterRegistry meters) {
        return Counter.builder(name).tags(tags).description(description).register(meters);
    }

    private static Timer timer(String name, String description, Tags tags, MeterRegistry meters) {
        return Timer.builder(name).tags(tags).description(description).register(meters);
    }
}
