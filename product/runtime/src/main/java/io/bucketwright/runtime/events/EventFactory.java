package io.bucketwright.runtime.events;

import io.bucketwright.runtime.TimeSource;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.api.model.events.v1.EventSeries;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Makes events of events.k8s.io/v1. */
final class EventFactory {

    private static final int LONGEST_INSTANCE = 128;
    private static final int LONGEST_NAME = 253;

    private final DateTimeFormatter micros = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private final String controller;
    private final String instance;
    private final TimeSource time;
    private long number;

    EventFactory(String controller, String instance, TimeSource time) {
        this.controller = controller;
        this.instance = instance.substring(0, Math.min(instance.length(), LONGEST_INSTANCE));
        this.time = time;
    }

    Event event(EventContent content) {
        return new EventBuilder()
                .withNewMetadata()
                .withNamespace(content.namespace())
                .withName(name(content.regarding().getName()))
                .endMetadata()
                .withEventTime(now())
                .withReportingController(controller)
                .withReportingInstance(instance)
                .withRegarding(content.regarding())
                .withType(content.type())
                .withReason(content.reason())
                .withAction(content.action())
                .withNote(content.note())
                .build();
    }

    /** An event that exists, for a patch of it. */
    static Event written(EventContent content, String name) {
        return new EventBuilder()
                .withNewMetadata()
                .withNamespace(content.namespace())
                .withName(name)
                .endMetadata()
                .build();
    }

    EventSeries series(int count) {
        return new EventSeries(count, now());
    }

    private MicroTime now() {
        return new MicroTime(micros.format(time.now()));
    }

    /** The object's name and something that never was before, in a process or across processes. */
    private String name(String object) {
        String suffix = "." + Long.toHexString(time.now().toEpochMilli() * 4096 + number++ % 4096)
                + Integer.toHexString(instance.hashCode() & 0xffff);
        String head = object.substring(0, Math.min(object.length(), LONGEST_NAME - suffix.length()));
        // A cut must not leave a name that ends in a dot or dash before the suffix's dot.
        int end = head.length();
        while (end > 0 && !Character.isLetterOrDigit(head.charAt(end - 1))) {
            end--;
        }
        return head.substring(0, end) + suffix;
    }
}
