package io.bucketwright.app.chart;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Values of the chart as a tree that tests change at one place.
 *
 * @param root maps, lists and scalars, as in YAML
 */
record ValueTree(Map<String, Object> root) {

    /** A path of keys and of indexes in lists. */
    record Place(List<Object> steps, Object value) {

        Place below(Object step, Object child) {
            List<Object> path = new ArrayList<>(steps);
            path.add(step);
            return new Place(path, child);
        }

        Object last() {
            return steps.getLast();
        }
    }

    /** All maps, lists and scalars below the root. */
    Stream<Place> places() {
        return below(new Place(List.of(), root)).skip(1);
    }

    private static Stream<Place> below(Place place) {
        Stream<Place> children = switch (place.value()) {
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .flatMap(entry -> below(place.below(String.valueOf(entry.getKey()), entry.getValue())));
            case List<?> list ->
                IntStream.range(0, list.size()).boxed().flatMap(i -> below(place.below(i, list.get(i))));
            default -> Stream.empty();
        };
        return Stream.concat(Stream.of(place), children);
    }

    /** A copy with another value at this path. */
    ValueTree with(List<Object> path, Object value) {
        @SuppressWarnings("unchecked") // the root is a map
        Map<String, Object> copy = (Map<String, Object>) replaced(root, path, value);
        return new ValueTree(copy);
    }

    /** A copy with another value at a path of keys with dots. */
    ValueTree with(String path, Object value) {
        return with(List.<Object>of((Object[]) path.split("\\.", -1)), value);
    }

    private static Object replaced(Object old, List<Object> path, Object value) {
        if (path.isEmpty()) {
            return value;
        }
        List<Object> rest = path.subList(1, path.size());
        if (path.getFirst() instanceof Integer index) {
            List<Object> list = new ArrayList<>((List<?>) old);
            list.set(index, replaced(list.get(index), rest, value));
            return list;
        }
        Map<String, Object> map = new HashMap<>();
        ((Map<?, ?>) old).forEach((key, child) -> map.put(String.valueOf(key), child));
        String key = String.valueOf(path.getFirst());
        map.put(key, replaced(map.getOrDefault(key, Map.of()), rest, value));
        return map;
    }
}
