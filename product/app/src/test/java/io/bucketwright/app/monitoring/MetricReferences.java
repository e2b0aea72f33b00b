package io.bucketwright.app.monitoring;

import io.bucketwright.app.SourceTree;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The metrics and labels that queries use, compared with those of docs/reference/metrics.md, which a real process has. */
final class MetricReferences {

    static final Path ALERTS = Path.of("../../deploy/helm/bucketwright/files/alerts.yaml");

    private static final Path PAGE = Path.of("../../docs/reference/metrics.md");
    private static final Pattern ROW =
            Pattern.compile("\\| `([a-z_]+)` \\| (\\w+) \\|(.*?)\\|.*\\|", Pattern.MULTILINE);
    private static final Pattern NAME =
            Pattern.compile("\\b((?:bucketwright|process|jvm|cosi|controller)_[a-z_]+)\\b(\\{[^}]*})?");
    private static final Pattern MATCHER = Pattern.compile("([a-z_]+)\\s*(?:=~|!~|!=|=)");
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|without|on|ignoring) \\(([^)]*)\\)");

    /** What Prometheus adds to each series of a target. */
    private static final Set<String> TARGET = Set.of("instance", "job", "pod");

    private MetricReferences() {}

    /** What the query names and no process has; empty if it is right. */
    static List<String> unknown(String query) {
        List<MetricFamily> families = families();
        Set<String> labels = new TreeSet<>(TARGET);
        // Of the target, too. Some of our metrics have a label of that name, so a selector must not take it for
        // granted.
        labels.add("namespace");
        Set<String> unknown = new TreeSet<>();
        Matcher name = NAME.matcher(query);
        while (name.find()) {
            String series = name.group(1);
            families.stream()
                    .filter(family -> family.hasSeries(series))
                    .findFirst()
                    .ifPresentOrElse(
                            family -> {
                                labels.addAll(family.labels());
                                matched(name.group(2) == null ? "" : name.group(2)).stream()
                                        .filter(label -> !family.labels().contains(label) && !TARGET.contains(label))
                                        .forEach(label -> unknown.add(series + "{" + label + "}"));
                            },
                            () -> unknown.add(series));
        }
        Matcher grouping = GROUPING.matcher(query);
        while (grouping.find()) {
            Arrays.stream(grouping.group(1).split(",", -1))
                    .map(String::strip)
                    .filter(label -> !labels.contains(label))
                    .forEach(label -> unknown.add("by (" + label + ")"));
        }
        return List.copyOf(unknown);
    }

    private static List<String> matched(String selector) {
        return MATCHER.matcher(selector.replaceAll("\"[^\"]*\"", ""))
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    private static List<MetricFamily> families() {
        return ROW.matcher(SourceTree.read(PAGE))
                .results()
                .map(row -> new MetricFamily(
                        row.group(1),
                        row.group(2),
                        "",
                        Stream.of(row.group(3).split(",", -1))
                                .map(String::strip)
                                .collect(Collectors.toSet())))
                .toList();
    }

    /** The alerting rules, by name. */
    @SuppressWarnings("unchecked") // as promtool has checked it
    static Map<String, Map<String, Object>> alerts() {
        Map<String, Object> file = Serialization.unmarshal(SourceTree.read(ALERTS), Map.class);
        return ((List<Map<String, Object>>) file.getOrDefault("groups", List.of()))
                .stream()
                        .flatMap(group -> ((List<Map<String, Object>>) group.getOrDefault("rules", List.of())).stream())
                        .collect(Collectors.toMap(rule -> String.valueOf(rule.get("alert")), rule -> rule));
    }
}
