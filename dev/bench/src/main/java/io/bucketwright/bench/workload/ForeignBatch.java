package io.bucketwright.bench.workload;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Objects of one kind that the controllers have nothing to do for.
 *
 * @param title such as Secrets
 * @param prefix of their names
 * @param collection path of all objects of the kind
 * @param body JSON of the object with a name
 * @param changes how many of them are changed later
 * @param patch how: the merge patch, empty if none is changed
 * @param subresource that is changed, such as {@code /status}; empty for the object itself
 */
public record ForeignBatch(
        String title,
        String prefix,
        int count,
        String collection,
        UnaryOperator<String> body,
        int changes,
        String patch,
        String subresource) {

    /** Objects that do not change. */
    ForeignBatch(String title, String prefix, int count, String collection, UnaryOperator<String> body) {
        this(title, prefix, count, collection, body, 0, "", "");
    }

    /** The same, of which some are changed later. */
    ForeignBatch changed(int number, String mergePatch, String part) {
        return new ForeignBatch(title, prefix, count, collection, body, number, mergePatch, part);
    }

    public List<String> names() {
        return IntStream.range(0, count).mapToObj(i -> prefix + "-" + i).toList();
    }

    /** The names of those that are changed. */
    public List<String> changedNames() {
        return names().subList(0, Math.min(changes, count));
    }

    public List<NewObject> objects(String name) {
        return List.of(new NewObject(collection, body.apply(name)));
    }
}
