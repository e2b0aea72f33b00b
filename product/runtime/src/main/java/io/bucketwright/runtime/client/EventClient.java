package io.bucketwright.runtime.client;

import io.fabric8.kubernetes.api.model.EventSourceBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventSeries;
import java.util.Map;

/**
 * Writes events to the API server. Roles that were made for other controllers, such as those of COSI drivers, allow events of
 * the core API only, which are the same objects.
 */
final class EventClient implements EventSink {

    private static final ResourceKind<Event> KIND = ResourceKind.of(Event.class);
    private static final ResourceKind<io.fabric8.kubernetes.api.model.Event> CORE =
            ResourceKind.of(io.fabric8.kubernetes.api.model.Event.class);

    private final Transport transport;
    /** Whether only events of the core API are allowed. */
    private volatile boolean core;

    EventClient(Transport transport) {
        this.transport = transport;
    }

    @Override
    public void create(Event event) {
        if (!core) {
            try {
                create(KIND, event);
                return;
            } catch (ApiException e) {
                if (!(e.error() instanceof ApiError.Forbidden)) {
                    throw e;
                }
            }
        }
        create(CORE, coreEvent(event));
        core = true;
    }

    @Override
    public void repeat(Event event, EventSeries series) {
        if (core) {
            repeat(CORE, coreEvent(event), series);
        } else {
            repeat(KIND, event, series);
        }
    }

    private <T extends HasMetadata> void create(ResourceKind<T> kind, T event) {
        send(
                "Creating " + kind.describe(event),
                "POST",
                kind.path(event.getMetadata().getNamespace()),
                Transport.JSON,
                event);
    }

    private <T extends HasMetadata> void repeat(ResourceKind<T> kind, T event, EventSeries series) {
        send(
                "Patching " + kind.describe(event),
                "PATCH",
                kind.path(event),
                Transport.MERGE_PATCH,
                Map.of("series", series));
    }

    /** Nobody needs the response, so it is not decoded. */
    private void send(String doing, String method, String path, String contentType, Object body) {
        transport.send(doing, method, path, contentType, transport.json().encode(body));
    }

    private static io.fabric8.kubernetes.api.model.Event coreEvent(Event event) {
        return new io.fabric8.kubernetes.api.model.EventBuilder()
                .withMetadata(event.getMetadata())
                .withEventTime(event.getEventTime())
                .withReportingComponent(event.getReportingController())
                .withReportingInstance(event.getReportingInstance())
                .withSource(new EventSourceBuilder()
                        .withComponent(event.getReportingController())
                        .build())
                .withInvolvedObject(event.getRegarding())
                .withType(event.getType())
                .withReason(event.getReason())
                .withAction(event.getAction())
                .withMessage(event.getNote())
                .build();
    }
}
