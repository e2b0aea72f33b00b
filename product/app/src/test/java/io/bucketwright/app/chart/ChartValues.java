package io.bucketwright.app.chart;

import io.bucketwright.app.SourceTree;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The file values.yaml: each value with its default and the comment above it.
 *
 * @param all in the order of the file
 * @param examples the entries of lists that comments show, by the key of the list
 */
record ChartValues(List<Value> all, Map<String, String> examples) {

    private static final Path FILE = RenderedChart.CHART.resolve("values.yaml");
    private static final Pattern KEY = Pattern.compile("( *)([A-Za-z]+):(?: (.*))?");

    /**
     * A value.
     *
     * @param path with dots, such as {@code defaults.log.format}
     * @param text the default as in the file; empty for a group of values
     * @param comment without line breaks; empty if there is none
     */
    record Value(String path, String text, String comment) {

        boolean isGroup() {
            return text.isEmpty();
        }
    }

    private record Parent(int indent, String path) {}

    static ChartValues read() {
        List<Value> values = new ArrayList<>();
        Map<String, String> examples = new TreeMap<>();
        Deque<Parent> parents = new ArrayDeque<>();
        List<String> comment = new ArrayList<>();
        for (String line : SourceTree.read(FILE).lines().toList()) {
            Matcher key = KEY.matcher(line);
            if (line.strip().startsWith("#")) {
                comment.add(line.strip().substring(1));
            } else if (key.matches()) {
                int indent = key.group(1).length();
                while (!parents.isEmpty() && parents.peek().indent() >= indent) {
                    parents.pop();
                }
                String path = (parents.isEmpty() ? "" : parents.peek().path() + ".") + key.group(2);
                parents.push(new Parent(indent, path));
                int example = comment.indexOf("");
                if (example >= 0) {
                    examples.put(
                            path,
                            String.join("\n", comment.subList(example + 1, comment.size()))
                                    .indent(-1));
                }
                values.add(new Value(
                        path,
                        key.group(3) == null ? "" : key.group(3),
                        comment.subList(0, example < 0 ? comment.size() : example).stream()
                                .map(String::strip)
                                .collect(Collectors.joining(" "))));
                comment.clear();
            } else if (line.isBlank()) {
                comment.clear();
            } else {
                throw new IllegalStateException("values.yaml: write each value on one line: " + line);
            }
        }
        return new ChartValues(List.copyOf(values), Map.copyOf(examples));
    }

    /** The values without groups. */
    List<Value> leaves() {
        return all.stream().filter(value -> !value.isGroup()).toList();
    }

    /** The defaults. */
    static Map<String, Object> defaults() {
        return RenderedChart.values(SourceTree.read(FILE));
    }
}
