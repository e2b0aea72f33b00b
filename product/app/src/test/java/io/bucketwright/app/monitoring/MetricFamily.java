package io.bucketwright.app.monitoring;

import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A metric as the endpoint of a process shows it.
 *
 * @param type counter, gauge, histogram or summary
 * @param labels of all its series
 */
record MetricFamily(String name, String type, String help, Set<String> labels) {

    private static final Pattern HELP = Pattern.compile("# HELP (\\S+) (.*)");
    private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
    private static final Pattern SERIES = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)(\\{.*})? \\S+");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"(?:[^\"\\\\]|\\\\.)*\"");

    /** All metrics of a page in the text format of Prometheus, by the names of their series without the suffix of a part. */
    static Collection<MetricFamily> parse(String page) {
        Map<String, MetricFamily> found = new TreeMap<>();
        Map<String, String> help = new TreeMap<>();
        for (String line : page.lines().toList()) {
            Matcher description = HELP.matcher(line);
            Matcher type = TYPE.matcher(line);
            Matcher series = SERIES.matcher(line);
            if (description.matches()) {
                help.put(description.group(1), description.group(2).strip());
            } else if (type.matches()) {
                String name = type.group(1);
                found.put(name, new MetricFamily(name, type.group(2), help.getOrDefault(name, ""), new TreeSet<>()));
            } else if (series.matches()) {
                MetricFamily family = found.values().stream()
                        .filter(candidate -> candidate.hasSeries(series.group(1)))
                        .max(Comparator.comparingInt(
                                candidate -> candidate.name().length()))
                        .orElseThrow(() -> new AssertionError("no type for " + line));
                Matcher label = LABEL.matcher(series.group(2) == null ? "" : series.group(2));
                while (label.find()) {
                    family.labels().add(label.group(1));
                }
            }
        }
        return found.values();
    }

    /** Whether the metric has series of that name, such as {@code ..._bucket} of a histogram. */
    boolean hasSeries(String series) {
        return series.equals(name)
                || ((type.equals("histogram") || type.equals("summary"))
                        && (series.equals(name + "_count")
                                || series.equals(name + "_sum")
                                || (type.equals("histogram") && series.equals(name + "_bucket"))));
    }
}
