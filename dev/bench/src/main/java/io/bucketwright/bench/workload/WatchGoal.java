package io.bucketwright.bench.workload;

import io.bucketwright.bench.http.WatchEvent;
import java.util.Optional;
import java.util.function.Function;

/**
 * When an object is done, as a watch shows it.
 *
 * @param path of the objects that are watched
 * @param reached the name of the object that an event shows to be done; empty for any other event
 */
public record WatchGoal(String path, Function<WatchEvent, Optional<String>> reached) {

    /** The object is in this phase. */
    static WatchGoal phase(String path, String phase) {
        return new WatchGoal(
                path,
                event -> event.text("status", "phase").equals(phase) && !event.isDeletion()
                        ? Optional.of(event.name())
                        : Optional.empty());
    }

    /** The object is deleted. */
    static WatchGoal deletion(String path) {
        return new WatchGoal(path, event -> event.isDeletion() ? Optional.of(event.name()) : Optional.empty());
    }
}
