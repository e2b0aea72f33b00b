package io.bucketwright.runtime.client;

import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventSeries;
import java.util.Map;

/** Writes events to the API server. */
final class EventClient implements EventSink {

    private final Transport transport;
    private final ResourceKind<Event> kind = ResourceKind.of(Event.class);

    EventClient(Transport transport) {
        this.transport = transport;
    }

    @Override
    public void create(Event event) {
        transport.send(
                "Creating " + kind.describe(event),
                "POST",
                kind.path(event.getMetadata().getNamespace()),
                Transport.JSON,
                transport.json().asJson(event));
    }

    @Override
    public void repeat(Event event, EventSeries series) {
        transport.send(
                "Patching " + kind.describe(event),
                "PATCH",
                kind.path(event),
                Transport.MERGE_PATCH,
                transport.json().asJson(Map.of("series", series)));
    }
}
