package io.bucketwright.app.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The picture of the dashboard in the docs. */
class DashboardPictureTest {

    private static final String ANSWER = """
            {"data": {"result": [{"metric": {"kind": "ObjectBucketClaim", "phase": "Bound"},
              "values": [[100, "1"], [110, "NaN"], [120, "3"]]}]}}
            """;

    @Test
    void thePictureInTheDocsHasEveryPanelOfTheDashboard() throws Exception {
        String picture = Files.readString(Path.of("../../docs/dashboard.svg"));
        List<String> titles = new ArrayList<>();
        for (JsonNode panel : dashboard().get("panels")) {
            titles.add(panel.get("title").asText() + "</text>");
        }
        assertThat(titles).hasSizeGreaterThan(20);
        assertThat(picture).as("DashboardPicture draws it again").contains(titles);
    }

    @Test
    void aPanelHasWhatPrometheusAnswers() throws Exception {
        List<String> asked = new ArrayList<>();
        String picture = DashboardPicture.picture(dashboard(), query -> {
            asked.add(query);
            return new ObjectMapper().readTree(query.contains("phase") ? ANSWER : "{}");
        });

        assertThat(asked).noneMatch(query -> query.contains("$"));
        assertThat(picture).contains(">ObjectBucketClaim Bound</text>", ">3</text>", ">No data</text>");
    }

    private static JsonNode dashboard() throws IOException {
        return new ObjectMapper().readTree(DashboardTest.DASHBOARD.toFile());
    }

    @ParameterizedTest
    @CsvSource({
        "0, short, 0",
        "12, short, 12",
        "1234.5, short, 1235",
        "0.0421, s, 42.1 ms",
        "90, s, 1.5 min",
        "0.25, percentunit, 25 %",
        "104857600, bytes, 100 MiB",
        "0.4, ops, 0.4/s"
    })
    void numbersHaveTheirUnit(double value, String unit, String text) {
        assertThat(Quantities.text(value, unit)).isEqualTo(text);
    }
}
