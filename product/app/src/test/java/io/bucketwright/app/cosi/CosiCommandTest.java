package io.bucketwright.app.cosi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.app.ProcessEndpoint;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.cosi.sanity.Sanity;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** A driver and the suite, as the command line starts them. */
class CosiCommandTest {

    private final StringWriter out = new StringWriter();

    @TempDir
    private Path folder = Path.of("/");

    @Test
    void theSuiteReportsOnTheDriverForPeopleAndForBuildServers() throws IOException {
        Path junit = folder.resolve("report.xml");
        try (DriverProcess driver = driver(Map.of(), null)) {
            assertThat(sanity(driver.socket(), List.of(), junit)).isTrue();
        }

        assertThat(out.toString().lines())
                .anyMatch(line -> line.matches("ok +create-repeat +CreateBucket is idempotent.*"))
                .anyMatch(line -> line.matches("skip +create-wrong-credentials .*"))
                .anyMatch(line -> line.startsWith("The driver none.bucketwright.io (s3): "));
        assertThat(out.toString()).contains(" 0 failed");
        assertThat(junit).content().contains("<testsuite", "create-repeat");
    }

    @Test
    void onlyTheChecksThatAreAskedForAreMade() {
        try (DriverProcess driver = driver(Map.of(), null)) {
            assertThat(sanity(driver.socket(), List.of("info-"), null)).isTrue();
        }

        assertThat(out.toString()).contains("3 passed, 0 failed, 0 skipped");
    }

    @Test
    void aDriverThatFailsIsReportedAndTheRunHasFailed() {
        try (DriverProcess driver = driver(Map.of("failurePercent", "100"), null)) {
            assertThat(sanity(driver.socket(), List.of("create-bucket"), null)).isFalse();
        }

        assertThat(out.toString())
                .contains("FAIL  create-bucket", "CREATE_INTERNAL_ERROR, UNAVAILABLE", "Left behind: the bucket");
    }

    @Test
    void theDriverServesTheMetricsOfItsStore() throws IOException, InterruptedException {
        try (DriverProcess driver = driver(Map.of(), null)) {
            assertThat(get(driver, "/readyz")).contains("readyz check passed");
            assertThat(get(driver, "/metrics")).contains("process_cpu_seconds_total");
            assertThat(sanity(driver.socket(), List.of("create-bucket"), null)).isTrue();
            assertThat(get(driver, "/metrics"))
                    .containsPattern("bucketwright_store_calls_seconds_count\\{operation=\"provision\",result=\"ok\","
                            + "store=\"none\"} [1-9]");
        }
    }

    @Test
    void aPortThatIsTakenIsOneSentenceAndNothingRemains() {
        try (DriverProcess first = driver(Map.of(), null)) {
            DriverOptions options = new DriverOptions();
            new CommandLine(options).parseArgs("--store=none");
            InetSocketAddress taken = new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), first.metrics().port());
            Path second = folder.resolve("second.sock");
            assertThatThrownBy(
                            () -> DriverProcess.start(options, "none.bucketwright.io", "", "unix://" + second, taken))
                    .isInstanceOf(CommandException.class)
                    .hasMessageContaining("choose another port");
            assertThat(second).doesNotExist();
        }
    }

    @Test
    void whereNobodyServesIsOneSentence() {
        assertThatThrownBy(
                        () -> sanity("unix://" + folder.resolve("none.sock"), List.of("info-"), null, "--timeout=5s"))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("Check that the driver runs");
    }

    @Test
    void aSocketThatIsTakenIsOneSentence() {
        try (DriverProcess _ = driver(Map.of(), null)) {
            assertThatThrownBy(() -> driver(Map.of(), null))
                    .isInstanceOf(CommandException.class)
                    .hasMessageContaining("is in use by another process");
        }
    }

    @Test
    void credentialsThatCannotBeReadAreReportedAtTheStart() {
        assertThatThrownBy(() -> driver(Map.of(), folder.resolve("gone")))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("gone cannot be read");
        assertThat(folder).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource({"delayMilis, 5", "delayMillis, soon", "cosi.io/cluster, mine", "versioning, perhaps"})
    void aParameterThatMeansNothingIsRefusedAtTheStart(String key, String value) {
        assertThatThrownBy(() -> driver(Map.of(key, value), null)).isInstanceOf(Invalid.class);
    }

    @Test
    void theHelpOfTheDriverHasTheOrderOfCredentials() {
        assertThat(new CommandLine(new DriverCommand()).getUsageMessage(CommandLine.Help.Ansi.OFF))
                .containsSubsequence(
                        "those in the request", "otherwise", "--credentials", "otherwise", "AWS_ACCESS_KEY_ID");
    }

    @Test
    void everyCheckIsExplained() throws IOException {
        String page = Files.readString(Path.of("../..", "docs", "cosi-sanity.md"));
        assertThat(Sanity.ids()).allSatisfy(id -> assertThat(page).contains("`" + id + "`"));
    }

    private boolean sanity(String socket, List<String> only, @Nullable Path junit, String... more) {
        SanityCommand command = new SanityCommand();
        List<String> arguments = new ArrayList<>(List.of("--endpoint=" + socket));
        arguments.addAll(List.of(more));
        only.forEach(prefix -> arguments.add("--only=" + prefix));
        if (junit != null) {
            arguments.add("--junit-report=" + junit);
        }
        new CommandLine(command).setOut(new PrintWriter(out, true)).parseArgs(arguments.toArray(String[]::new));
        return command.call() == 0;
    }

    private DriverProcess driver(Map<String, String> parameters, @Nullable Path credentials) {
        DriverOptions options = new DriverOptions();
        List<String> arguments = new ArrayList<>(List.of("--store=none"));
        parameters.forEach((key, value) -> arguments.add("--param=" + key + "=" + value));
        if (credentials != null) {
            arguments.add("--credentials=" + credentials);
        }
        new CommandLine(options).parseArgs(arguments.toArray(String[]::new));
        return DriverProcess.start(
                options,
                "none.bucketwright.io",
                "",
                "unix://" + folder.resolve("cosi.sock"),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private static String get(DriverProcess driver, String path) throws IOException, InterruptedException {
        return new ProcessEndpoint(driver.metrics().port()).get(path).body();
    }
}
