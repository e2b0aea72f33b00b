package io.bucketwright.volumes.process;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.cache.Caches;
import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.runtime.events.EventRecorder;
import io.micrometer.core.instrument.MeterRegistry;

/** The parts of a process that its controllers share. */
public record Parts(
        ApiConnection connection,
        Caches caches,
        Leadership leadership,
        EventRecorder events,
        TimeSource time,
        MeterRegistry meters) {}
