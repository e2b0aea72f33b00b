package io.bucketwright.cosi.sanity;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.bench.AzureStore;
import io.bucketwright.cosi.driver.DriverCredentials;
import io.bucketwright.cosi.sanity.CheckResult.Verdict;
import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The suite, and our driver, on Azurite. */
class AzureSanityIT {

    private final LocalStore server = LocalStore.start(StoreKind.AZURE);
    private final AzureStore store = new AzureStore(server.access());

    @TempDir
    private Path folder = Path.of("/");

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void ourDriverPasses() {
        try (ServedDriver driver =
                ServedDriver.of(folder, "azure", store.parameters(), DriverCredentials.none(), good -> good)) {
            SanityReport report = run(driver, List.of(), 30);

            assertThat(report.outcomes())
                    .filteredOn(outcome -> outcome.verdict() == Verdict.FAILED)
                    .isEmpty();
            assertThat(report.outcomes())
                    .as("all but two of the released protocol")
                    .hasSize(Sanity.ids().size() - 2);
            assertThat(report.ids(Verdict.SKIPPED))
                    .as("containers have no anonymous access by Bucketwright")
                    .containsExactly("credentials-public-bucket");
            assertThat(report.leftBehind()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            names = {"CREDENTIALS_REVOKES_NOTHING", "CREDENTIALS_IGNORES_THE_ACCESS_MODE", "CREDENTIALS_DELETES_NOTHING"
            })
    void wrongCredentialsAreNoticed(Fault fault) {
        try (ServedDriver driver = ServedDriver.of(
                folder,
                "azure",
                store.parameters(),
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
