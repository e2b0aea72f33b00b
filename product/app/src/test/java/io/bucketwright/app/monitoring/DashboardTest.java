package io.bucketwright.app.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.app.SourceTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The dashboard of the chart: its rows, and that its queries name metrics and labels which a real process has. */
class DashboardTest {

    static final Path DASHBOARD = Path.of("../../deploy/helm/bucketwright/files/dashboard.json");
    private static final Pattern LEGEND = Pattern.compile("\\{\\{(\\w+)}}");

    private final JsonNode dashboard;

    DashboardTest() throws IOException {
        dashboard = new ObjectMapper().readTree(DASHBOARD.toFile());
    }

    @Test
    void itHasTheRowsThatThePageNames() {
        List<String> rows = new ArrayList<>();
        for (JsonNode panel : dashboard.path("panels")) {
            if (panel.path("type").asText().equals("row")) {
                rows.add(panel.path("title").asText());
            }
        }
        assertThat(rows).containsExactly("Overview", "Claims", "Store", "Queues and API server", "Process");
        String page = SourceTree.read(Path.of("../../docs/monitoring.md"));
        assertThat(rows).allSatisfy(row -> assertThat(page).contains("**" + row + "**"));
    }

    @Test
    void eachQueryNamesMetricsAndLabelsThatARealProcessHas() {
        int queries = 0;
        for (JsonNode panel : dashboard.path("panels")) {
            for (JsonNode target : panel.path("targets")) {
                String query = target.path("expr").asText().replace("$__rate_interval", "5m");
                assertThat(query).as(panel.path("title").asText()).containsPattern("bucketwright_|process_|jvm_|cosi_");
                assertThat(MetricReferences.unknown(query))
                        .as(panel.path("title").asText())
                        .isEmpty();
                List<String> legend = LEGEND.matcher(target.path("legendFormat").asText())
                        .results()
                        .map((MatchResult match) -> match.group(1))
                        .toList();
                assertThat(MetricReferences.unknown("sum by (" + String.join(", ", legend) + ") (" + query + ")"))
                        .as("legend of " + panel.path("title").asText())
                        .allMatch(problem -> problem.equals("by ()"));
                queries++;
            }
        }
        assertThat(queries).isGreaterThan(20);
    }

    @Test
    void panelsHaveADescriptionAndDoNotOverlap() {
        List<String> taken = new ArrayList<>();
        for (JsonNode panel : dashboard.path("panels")) {
            if (!panel.path("type").asText().equals("row")) {
                assertThat(panel.path("description").asText()).isNotBlank();
            }
            JsonNode place = panel.path("gridPos");
            for (int x = 0; x < place.path("w").asInt(); x++) {
                for (int y = 0; y < place.path("h").asInt(); y++) {
                    taken.add((place.path("x").asInt() + x) + ","
                            + (place.path("y").asInt() + y));
                }
            }
        }
        assertThat(taken).doesNotHaveDuplicates();
    }
}
