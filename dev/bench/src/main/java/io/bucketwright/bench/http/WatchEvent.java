package io.bucketwright.bench.http;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An event of a watch.
 *
 * @param type ADDED, MODIFIED or DELETED
 * @param nanos when it arrived, by {@link System#nanoTime}
 */
public record WatchEvent(String type, JsonNode object, long nanos) {

    public String name() {
        return object.at("/metadata/name").asText();
    }

    public boolean isDeletion() {
        return type.equals("DELETED");
    }

    /** The field {@code status.phase}. */
    public String phase() {
        return object.at("/status/phase").asText();
    }
}
