package io.bucketwright.runtime.client;

import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventSeries;
import java.util.Map;

/** Writes events to the API server. */
record EventClient(Transport transport) implements EventSink {

    private static final ResourceKind<Event> KIND = ResourceKind.of(Event.class);

    @Override
    public void create(Event event) {
        String path = KIND.path(event.getMetadata().getNamespace());
        transport.write("Creating", event, "POST", path, Transport.JSON, event);
    }

    @Override
    public void repeat(Event event, EventSeries series) {
        transport.write("Patching", event, "PATCH", KIND.path(event), Transport.MERGE_PATCH, Map.of("series", series));
    }
}
