package io.bucketwright.runtime.leader;

import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Who changed an object, in the order in which the API server accepted it, as one object remembers it: a writer that writes
 * many times in a row is one entry with a count.
 */
record Journal(List<Entry> entries) {

    static final String NAME = "journal";
    static final String FIELD = "entries";

    record Entry(String identity, long term, int count) {

        static Entry parse(String text) {
            String[] parts = text.split("@|x", -1);
            return new Entry(parts[0], Long.parseLong(parts[1]), Integer.parseInt(parts[2]));
        }

        @Override
        public String toString() {
            return identity + "@" + term + "x" + count;
        }
    }

    static Journal of(ConfigMap map) {
        Map<String, String> data = map.getData();
        String text = data == null ? "" : data.getOrDefault(FIELD, "");
        return new Journal(
                text.isEmpty()
                        ? List.of()
                        : List.of(text.split(",", -1)).stream()
                                .map(Entry::parse)
                                .toList());
    }

    Journal wroteOnce(String identity, long term) {
        List<Entry> more = new ArrayList<>(entries);
        if (!more.isEmpty()
                && more.getLast().identity().equals(identity)
                && more.getLast().term() == term) {
            Entry last = more.removeLast();
            more.add(new Entry(identity, term, last.count() + 1));
        } else {
            more.add(new Entry(identity, term, 1));
        }
        return new Journal(more);
    }

    /** Writers in order; one that appears twice wrote before and after another. */
    List<String> writers() {
        return entries.stream()
                .map(entry -> entry.identity() + "@" + entry.term())
                .toList();
    }

    String last() {
        return entries.isEmpty() ? "nobody" : entries.getLast().identity();
    }

    int total() {
        return entries.stream().mapToInt(Entry::count).sum();
    }

    @Override
    public String toString() {
        return entries.stream().map(Entry::toString).collect(Collectors.joining(","));
    }
}
