package io.bucketwright.cosi.sanity;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.driver.CosiDriver;
import io.bucketwright.cosi.driver.DriverCredentials;
import io.bucketwright.cosi.sanity.CheckResult.Verdict;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.connection.SecretValue;
import io.grpc.BindableService;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The suite, and our driver, on a store of one kind. The requests have the credentials of the administrator. */
abstract class SanityTestBase {

    @TempDir
    private Path folder = Path.of("/");

    /** The kind of store. */
    abstract String kind();

    /** The parameters of the driver. */
    abstract Map<String, String> parameters();

    /** The credentials of the administrator. */
    abstract Map<String, SecretValue> secrets();

    @ParameterizedTest
    @EnumSource(
            names = {"CREDENTIALS_REVOKES_NOTHING", "CREDENTIALS_IGNORES_THE_ACCESS_MODE", "CREDENTIALS_DELETES_NOTHING"
            })
    void wrongCredentialsAreNoticed(Fault fault) {
        try (ServedDriver driver = serve(parameters(), good -> new BrokenDriver(good, Optional.of(fault)))) {
            assertThat(run(driver, List.copyOf(fault.noticedBy()), 2).outcomes())
                    .allSatisfy(outcome -> {
                        assertThat(outcome.verdict()).as(outcome.id()).isEqualTo(Verdict.FAILED);
                        assertThat(outcome.remark()).as(outcome.id()).contains("was answered with");
                    });
        }
    }

    /** Runs the whole suite on our driver and asserts that only these checks are skipped, and no other fails. */
    final void assertPasses(Map<String, String> parameters, String... skipped) {
        try (ServedDriver driver = serve(parameters, good -> good)) {
            SanityReport report = run(driver, List.of(), 30);
            assertThat(report.outcomes())
                    .filteredOn(outcome -> outcome.verdict() == Verdict.FAILED)
                    .isEmpty();
            assertThat(report.outcomes())
                    .as("all but two of the released protocol")
                    .hasSize(Sanity.ids().size() - 2);
            assertThat(report.ids(Verdict.SKIPPED)).containsExactlyInAnyOrder(skipped);
            assertThat(report.leftBehind()).isEmpty();
        }
    }

    /** Runs the suite in the released dialect, in which the driver has credentials of its own. */
    final void assertPassesReleased(Map<String, String> parameters) {
        // In this dialect the suite cannot delete its buckets with objects otherwise.
        Map<String, String> purging = new HashMap<>(parameters);
        purging.put("onNotEmpty", "purge");
        DriverCredentials own = () -> new AdministratorSecret(secrets());
        try (ServedDriver driver = ServedDriver.of(folder, kind(), purging, own, good -> good)) {
            SanityReport report = new Sanity(options(driver, List.of()).withDialect("cosi.v1alpha1"), _ -> {}).run();
            assertThat(report.outcomes())
                    .filteredOn(outcome -> outcome.verdict() == Verdict.FAILED)
                    .isEmpty();
            assertThat(report.ids(Verdict.PASSED)).contains("credentials-granted", "credentials-revoked");
            assertThat(report.leftBehind()).isEmpty();
        }
    }

    private ServedDriver serve(Map<String, String> parameters, Function<CosiDriver, BindableService> around) {
        return ServedDriver.of(folder, kind(), parameters, DriverCredentials.none(), around);
    }

    private SanityReport run(ServedDriver driver, List<String> only, int seconds) {
        return new Sanity(options(driver, only), _ -> {}, Duration.ofSeconds(seconds)).run();
    }

    private SanityOptions options(ServedDriver driver, List<String> only) {
        return new SanityOptions(driver.socket(), Map.of(), Map.of(), secrets(), true, only, Duration.ofSeconds(60));
    }
}
