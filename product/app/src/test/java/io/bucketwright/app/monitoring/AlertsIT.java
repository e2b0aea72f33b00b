package io.bucketwright.app.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.SourceTree;
import io.bucketwright.local.binaries.Binaries;
import io.bucketwright.local.binaries.Program;
import io.bucketwright.local.report.Progress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each alert fires when it should and not otherwise: promtool evaluates the rules as Prometheus does. Needs no cluster. */
class AlertsIT {

    private static final Path CASES = Path.of("src/test/resources/alerts/alerts-test.yaml");

    @Test
    void eachAlertFiresWhenItShouldAndNotOtherwise(@TempDir Path folder) throws Exception {
        Files.copy(MetricReferences.ALERTS, folder.resolve("alerts.yaml"));
        Files.copy(CASES, folder.resolve("cases.yaml"));
        assertThat(promtool(folder, "check", "rules", "alerts.yaml")).contains("SUCCESS");
        assertThat(promtool(folder, "test", "rules", "cases.yaml")).contains("SUCCESS");
    }

    /** Without this, a case that expects nothing could hide that promtool evaluates nothing. */
    @Test
    void anAlertThatNeverFiresIsFound(@TempDir Path folder) throws Exception {
        Files.writeString(
                folder.resolve("alerts.yaml"),
                SourceTree.read(MetricReferences.ALERTS)
                        .replace("bucketwright_watches_stale > 0", "bucketwright_watches_stale > 100"));
        Files.copy(CASES, folder.resolve("cases.yaml"));
        assertThat(promtool(folder, "test", "rules", "cases.yaml")).contains("FAILED", "BucketwrightWatchStale");
    }

    private static String promtool(Path folder, String... arguments) throws IOException, InterruptedException {
        Path program = Binaries.ofThisUser(Progress.silent()).provide(Program.PROMTOOL);
        Process process = new ProcessBuilder(Stream.concat(Stream.of(program.toString()), Stream.of(arguments))
                        .toList())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return output;
    }
}
