package io.bucketwright.runtime.engine;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.runtime.events.EventRecorder;
import io.micrometer.core.instrument.MeterRegistry;

/** What the controllers of one role are made of; connection and caches are those of the whole process. */
public record ControllerContext(
        ApiConnection connection,
        ObjectCaches caches,
        Leadership leadership,
        EventRecorder events,
        TimeSource time,
        MeterRegistry meters) {}
