package io.bucketwright.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.app.command.CommandException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/** A small result, as a table, a plot and a page. */
class ReportTest {

    private static final BenchReport REPORT = BenchReport.load(resource());

    @TempDir
    private Path folder;

    @Test
    void jsonIsReadAsItWasWritten() throws Exception {
        Path file = Files.writeString(folder.resolve("report.json"), REPORT.json());
        assertThat(BenchReport.load(file)).isEqualTo(REPORT);
        assertThat(REPORT.json()).doesNotContain("null");
    }

    @Test
    void aFileThatIsNoReportIsReportedInOneSentence() throws Exception {
        Path file = Files.writeString(folder.resolve("other.json"), "{\"kind\": \"Pod\"}");
        assertThatThrownBy(() -> BenchReport.load(file))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining(file + " is not a report");
        assertThatThrownBy(() -> BenchReport.load(folder.resolve("none")))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("cannot be read");
    }

    @Test
    void eachFigureIsInTheTable() {
        String text = ReportTables.text(REPORT);
        assertThat(text)
                .contains("2 cores", "Kubernetes v1.36.3", "ObjectBucketClaims", "8 workers", "(abc1234)")
                .containsPattern("bind +500 +50\\.0 +0\\.50 +4000 +9000 +7\\.00 +0\\.00 +1\\.00 +6\\.0 +12\\.0 +120\n")
                .containsPattern("one at a time +20 +- +- +40 +55 ")
                .containsPattern("restart +500 +- +- +- +- +0\\.00 +0\\.00 +0\\.00 +-")
                .containsPattern("ceiling: bind again +500 +100\\.0 +- ")
                .containsPattern("buckets +900 +1100 +- +80 +70 +12\\.0 +120 +110 +14\\.0 +4\\.0")
                .contains("Requests of bind: create events 1.00 each, list secrets 2 in all");
    }

    @Test
    void heapAndFindingsAreShownWhereTheyWereMeasured() {
        String text = ReportTables.text(REPORT);
        assertThat(text)
                .containsPattern("restart +500 .* 120\n")
                .containsPattern("start +0 +- .* - +80 +-\n")
                .containsPattern("Secrets +25000 +- +- +- +- +0\\.00 +0\\.00 +0\\.00 +0\\.002 +- +81 +12\\.3\n")
                .contains(
                        "Foreign objects add nothing.\nRequests of start: list secrets 1 in all; 1100 ms of CPU",
                        "Requests of restart: list secrets 2 in all; 1200 ms of CPU");
        assertThat(ReportPlot.svg(REPORT)).contains("Foreign objects: reachable heap in MiB", ">12.3<");
    }

    @Test
    void theShareOfTheFirstBatchIsThatOfTheWarmCeiling() {
        SubjectReport buckets = REPORT.subjects().getFirst();
        assertThat(buckets.phases().stream().map(buckets::shareOfCeiling).toList())
                .extracting(share -> share.orElse(-1.0))
                .containsExactly(0.5, 0.8, -1.0, 0.25, -1.0);
    }

    @Test
    void thePlotIsWellFormedAndHasTheFigures() throws Exception {
        String svg = ReportPlot.svg(REPORT);
        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
        assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(document.getDocumentElement().getTextContent())
                .contains(
                        "ObjectBucketClaims: per second",
                        "bind again",
                        "80.0 (0.80 of the ceiling)",
                        "CPU ms per object",
                        "buckets, idle",
                        "buckets, loaded",
                        "A & B <all>, idle");
        assertThat(document.getElementsByTagName("rect").getLength()).isGreaterThan(10);
    }

    @Test
    void theResultsAreWrittenBetweenTheMarkersAndReplacedTheNextTime() {
        String page = "# Title\n\n" + ReportPage.BEGIN + "\nold\n" + ReportPage.END + "\n\nend\n";
        String filled = ReportPage.withResults(page, REPORT);
        assertThat(filled)
                .startsWith("# Title\n\n" + ReportPage.BEGIN + "\n\n")
                .endsWith("\n" + ReportPage.END + "\n\nend\n")
                .contains("| bind | 500 | 50.0 | 0.50 |", "### ObjectBucketClaims")
                .doesNotContain("old");
        assertThat(ReportPage.withResults(filled, REPORT)).isEqualTo(filled);
        assertThat(filled.lines().filter(line -> !line.startsWith("|") && !line.startsWith("<")))
                .allMatch(line -> line.length() <= 120);
        assertThatThrownBy(() -> ReportPage.withResults("# Title", REPORT))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining(ReportPage.BEGIN);
    }

    @Test
    void thePageOfTheDocumentationHasTheMarkers() throws Exception {
        String page = Files.readString(Path.of("../../docs/performance.md"));
        assertThat(ReportPage.withResults(page, REPORT)).contains("| bind | 500 | 50.0 | 0.50 |");
    }

    @Test
    void aTableAlignsNumbers() {
        ReportTable table =
                new ReportTable(List.of("name", "value"), List.of(List.of("a", "1.0"), List.of("longer", "100.0")));
        assertThat(table.text()).isEqualTo("name    value\na         1.0\nlonger  100.0\n");
        assertThat(table.markdown()).isEqualTo("| name | value |\n|---|---:|\n| a | 1.0 |\n| longer | 100.0 |\n");
        assertThatThrownBy(() -> new ReportTable(List.of("name"), List.of(List.of("a", "b"))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static Path resource() {
        return Path.of(Objects.requireNonNull(ReportTest.class.getResource("/bench-report.json"))
                .getPath());
    }
}
