package io.bucketwright.volumes.directories.setup;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.cache.Caches;
import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.runtime.events.EventRecorder;
import io.micrometer.core.instrument.MeterRegistry;

/** The parts of the process that controllers share. */
public record Parts(
        ApiConnection connection,
        Caches caches,
        Leadership leadership,
        EventRecorder events,
        TimeSource time,
        MeterRegistry meters) {}
