package io.bucketwright.runtime.client;

import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventSeries;
import java.util.Map;

/** Writes events to the API server. */
record EventClient(Transport transport) implements EventSink {

    private static final ResourceKind<Event> KIND = ResourceKind.of(Event.class);

    @Override
    public void create(Event event) {
        send("Creating", "POST", KIND.path(event.getMetadata().getNamespace()), Transport.JSON, event, event);
    }

    @Override
    public void repeat(Event event, EventSeries series) {
        send("Patching", "PATCH", KIND.path(event), Transport.MERGE_PATCH, event, Map.of("series", series));
    }

    /** Nobody needs the response, so it is not decoded. */
    private void send(String doing, String method, String path, String contentType, Event event, Object body) {
        transport.send(
                doing + " " + KIND.describe(event),
                method,
                path,
                contentType,
                transport.json().encode(body));
    }
}
