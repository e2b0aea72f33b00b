package io.bucketwright.runtime.client;

import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventSeries;

/** Where events are written to; refusals are thrown as {@link ApiException}. */
public interface EventSink {

    void create(Event event);

    /** Records that an event written before has happened again. */
    void repeat(Event event, EventSeries series);
}
