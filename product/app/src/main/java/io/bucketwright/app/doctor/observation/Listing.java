package io.bucketwright.app.doctor.observation;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Objects of one kind.
 *
 * @param kind their kind, for messages
 * @param items empty if they could not be listed, or if the API server does not serve the kind
 * @param problem why they could not be listed; empty if they could
 */
public record Listing<T>(String kind, List<T> items, String problem) {

    public Listing {
        items = List.copyOf(items);
    }

    public static <T> Listing<T> of(String kind, List<T> items) {
        return new Listing<>(kind, items, "");
    }

    public static <T> Listing<T> unreadable(String kind, String problem) {
        return new Listing<>(kind, List.of(), problem);
    }

    /** Whether a missing object does not exist; otherwise it may exist and be hidden from the user. */
    public boolean isComplete() {
        return problem.isEmpty();
    }

    /** These objects without some. */
    Listing<T> without(Predicate<T> left) {
        return new Listing<>(kind, items.stream().filter(left.negate()).toList(), problem);
    }

    /** These objects and those of another kind; the name of a kind that could not be listed is kept. */
    Listing<T> and(Listing<T> other) {
        return new Listing<>(
                isComplete() && !other.isComplete() ? other.kind : kind,
                Stream.concat(items.stream(), other.items.stream()).toList(),
                isComplete() ? other.problem : problem);
    }

    <R> Listing<R> map(Function<T, R> mapping) {
        return new Listing<>(kind, items.stream().map(mapping).toList(), problem);
    }

    public Stream<T> stream() {
        return items.stream();
    }

    /** Whether all objects are known and none of them matches. */
    public boolean lacks(Predicate<T> matches) {
        return isComplete() && items.stream().noneMatch(matches);
    }
}
