package io.bucketwright.bench.http;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Watcher.Action;
import java.util.Objects;

/**
 * An event of a watch.
 *
 * @param nanos when it arrived, by {@link System#nanoTime}
 */
public record WatchEvent(Action action, GenericKubernetesResource object, long nanos) {

    public String name() {
        return object.getMetadata().getName();
    }

    public boolean isDeletion() {
        return action == Action.DELETED;
    }

    /** A field of the object, such as {@code status}, {@code phase}; empty if there is none. */
    public String text(Object... field) {
        return Objects.toString(object.get(field), "");
    }
}
