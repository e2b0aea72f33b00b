package io.bucketwright.app.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Draws the dashboard with what a Prometheus that scrapes Bucketwright answers to its queries, because Grafana cannot be built
 * or downloaded everywhere. In the root of a clone, with the address of the Prometheus, the minutes to show, the
 * dashboard and the picture:
 *
 * <pre>./mvnw -q -pl product/app test-compile exec:java -Dexec.classpathScope=test \
 *   -Dexec.mainClass=io.bucketwright.app.monitoring.DashboardPicture \
 *   -Dexec.args="http://127.0.0.1:9090 10 deploy/helm/bucketwright/files/dashboard.json docs/dashboard.svg"</pre>
 */
final class DashboardPicture {

    /** What Grafana puts in place of {@code $__rate_interval} for a scrape interval of 15 s. */
    private static final String RATE_INTERVAL = "1m";

    private static final int POINTS = 80;

    private DashboardPicture() {}

    /** Answers a query with the series of a range of time. */
    @FunctionalInterface
    interface Prometheus {
        JsonNode range(String query) throws IOException, InterruptedException;
    }

    /**
     * One line of a panel.
     *
     * @param times in seconds since 1970; there is none where the series has no value
     */
    record Series(String name, List<Double> times, List<Double> values) {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Instant end = Instant.now();
        Instant start = end.minusSeconds(60L * Integer.parseInt(arguments[1]));
        try (HttpClient http = HttpClient.newHttpClient()) {
            JsonNode dashboard =
                    new ObjectMapper().readTree(Path.of(arguments[2]).toFile());
            String picture = picture(dashboard, query -> ask(http, arguments[0], query, start, end));
            Files.writeString(Path.of(arguments[3]), picture);
        }
    }

    static String picture(JsonNode dashboard, Prometheus prometheus) throws IOException, InterruptedException {
        Map<JsonNode, List<Series>> panels = new LinkedHashMap<>();
        for (JsonNode panel : dashboard.get("panels")) {
            panels.put(panel, series(panel, prometheus));
        }
        double[] times = panels.values().stream()
                .flatMap(List::stream)
                .flatMap(series -> series.times().stream())
                .mapToDouble(Double::doubleValue)
                .sorted()
                .distinct()
                .toArray();
        PanelCanvas canvas = new PanelCanvas(times);
        panels.forEach(canvas::draw);
        return canvas.svg();
    }

    private static List<Series> series(JsonNode panel, Prometheus prometheus) throws IOException, InterruptedException {
        List<Series> all = new ArrayList<>();
        for (JsonNode target : panel.path("targets")) {
            String query = target.get("expr")
                    .asText()
                    .replace("$__rate_interval", RATE_INTERVAL)
                    .replace("$job", ".*");
            for (JsonNode result : prometheus.range(query).path("data").path("result")) {
                List<Double> times = new ArrayList<>();
                List<Double> values = new ArrayList<>();
                for (JsonNode sample : result.path("values")) {
                    double value = Double.parseDouble(sample.get(1).asText());
                    if (Double.isFinite(value)) {
                        times.add(sample.get(0).asDouble());
                        values.add(value);
                    }
                }
                if (!values.isEmpty()) {
                    String format = target.path("legendFormat").asText();
                    all.add(new Series(legend(format, result.path("metric")), times, values));
                }
            }
        }
        return all;
    }

    /** Replaces {@code {{label}}} by the value of the label, as Grafana does. */
    private static String legend(String format, JsonNode labels) {
        return Pattern.compile("\\{\\{(\\w+)}}")
                .matcher(format)
                .replaceAll((MatchResult match) -> labels.path(match.group(1)).asText())
                .strip();
    }

    private static JsonNode ask(HttpClient http, String address, String query, Instant start, Instant end)
            throws IOException, InterruptedException {
        long step = Math.max(1, (end.getEpochSecond() - start.getEpochSecond()) / POINTS);
        URI uri = URI.create(address + "/api/v1/query_range?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8)
                + "&start=" + start.getEpochSecond() + "&end=" + end.getEpochSecond() + "&step=" + step);
        HttpResponse<String> response =
                http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException("Prometheus refused " + query + ": " + response.body());
        }
        return new ObjectMapper().readTree(response.body());
    }
}
