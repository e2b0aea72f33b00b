package io.bucketwright.cosi.sanity;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.bench.GcsStore;
import io.bucketwright.cosi.driver.DriverCredentials;
import io.bucketwright.cosi.sanity.CheckResult.Verdict;
import io.bucketwright.testing.gcs.GcsServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The suite, and our driver, on a strict server of Google Cloud Storage. */
class GcsSanityIT {

    private final GcsServer server = GcsServer.start();
    private final GcsStore store = new GcsStore(server);

    @TempDir
    private Path folder = Path.of("/");

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void ourDriverPassesWithHmacKeys() {
        try (ServedDriver driver =
                ServedDriver.of(folder, "gcs", server.parameters(), DriverCredentials.none(), good -> good)) {
            assertPassed(run(driver, List.of(), 30), "credentials-public-bucket");
        }
        assertThat(server.accounts()).isEmpty();
    }

    @Test
    void ourDriverPassesWithServiceAccountKeys() {
        Map<String, String> parameters = new HashMap<>(server.parameters());
        parameters.put("principalKeys", "serviceAccount");
        try (ServedDriver driver = ServedDriver.of(folder, "gcs", parameters, DriverCredentials.none(), good -> good)) {
            // The suite signs no assertions, so it cannot use these keys.
            assertPassed(
                    run(driver, List.of(), 30),
                    Sanity.ids().stream()
                            .filter(id -> id.startsWith("credentials-"))
                            .toArray(String[]::new));
        }
        assertThat(server.accounts()).isEmpty();
    }

    private static void assertPassed(SanityReport report, String... skipped) {
        assertThat(report.outcomes())
                .filteredOn(outcome -> outcome.verdict() == Verdict.FAILED)
                .isEmpty();
        assertThat(report.outcomes())
                .as("all but two of the released protocol")
                .hasSize(Sanity.ids().size() - 2);
        assertThat(report.ids(Verdict.SKIPPED)).containsExactlyInAnyOrder(skipped);
        assertThat(report.leftBehind()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            names = {"CREDENTIALS_REVOKES_NOTHING", "CREDENTIALS_IGNORES_THE_ACCESS_MODE", "CREDENTIALS_DELETES_NOTHING"
            })
    void wrongCredentialsAreNoticed(Fault fault) {
        try (ServedDriver driver = ServedDriver.of(
                folder,
                "gcs",
                server.parameters(),
                DriverCredentials.none(),
                good -> new BrokenDriver(good, Optional.of(fault)))) {
            assertThat(run(driver, List.copyOf(fault.noticedBy()), 2).outcomes())
                    .allSatisfy(outcome -> {
                        assertThat(outcome.verdict()).as(outcome.id()).isEqualTo(Verdict.FAILED);
                        assertThat(outcome.remark()).as(outcome.id()).contains("was answered with");
                    });
        }
    }

    private SanityReport run(ServedDriver driver, List<String> only, int seconds) {
        SanityOptions options = new SanityOptions(
                driver.socket(), Map.of(), Map.of(), store.secrets(), true, only, Duration.ofSeconds(60));
        return new Sanity(options, _ -> {}, Duration.ofSeconds(seconds)).run();
    }
}
