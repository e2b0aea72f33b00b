package io.bucketwright.cosi.sanity;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.driver.DriverCredentials;
import io.bucketwright.cosi.fixture.S3Store;
import io.bucketwright.cosi.sanity.CheckResult.Verdict;
import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.connection.SecretValue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.iam.model.User;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;

/** The suite, and our driver, on a real store that speaks S3 and IAM. */
@Execution(ExecutionMode.CONCURRENT)
@Order(3)
class SanityIT {

    private final LocalStore servers = LocalStore.start();
    private final S3Store store = new S3Store(servers.access());

    @TempDir
    private Path folder = Path.of("/");

    @AfterEach
    void stop() {
        servers.close();
    }

    @Test
    void ourDriverPassesWithTheCredentialsOfEachRequest() {
        Set<String> before = contents();
        try (ServedDriver driver =
                ServedDriver.of(folder, "s3", store.parameters(), DriverCredentials.none(), good -> good)) {
            SanityReport report = run(driver, List.of(), 30);

            assertThat(report.outcomes())
                    .allSatisfy(outcome -> assertThat(outcome.verdict())
                            .as(outcome.id() + ": " + outcome.remark())
                            .isEqualTo(Verdict.PASSED));
            assertThat(report.ids(Verdict.PASSED)).contains("create-connection", "credentials-read-only");
            assertThat(report.outcomes())
                    .as("all but two of the released protocol")
                    .hasSize(Sanity.ids().size() - 2);
            assertThat(report.leftBehind()).isEmpty();
        }
        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void ourDriverPassesWithCredentialsOfItsOwn() {
        Set<String> before = contents();
        DriverCredentials own = () -> new AdministratorSecret(store.secrets());
        try (ServedDriver driver = ServedDriver.of(folder, "s3", store.parameters(), own, good -> good)) {
            SanityReport report = new Sanity(options(driver, Map.of(), List.of()), _ -> {}).run();

            assertThat(report.outcomes())
                    .filteredOn(outcome -> outcome.verdict() == Verdict.FAILED)
                    .isEmpty();
            assertThat(report.ids(Verdict.SKIPPED))
                    .containsExactlyInAnyOrder("create-wrong-credentials", "grant-no-administrator-secret");
            assertThat(report.leftBehind()).isEmpty();
        }
        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void ourDriverPassesInTheReleasedDialect() {
        Set<String> before = contents();
        DriverCredentials own = () -> new AdministratorSecret(store.secrets());
        // In this dialect the suite cannot delete its buckets with objects otherwise.
        Map<String, String> purging = new HashMap<>(store.parameters());
        purging.put("onNotEmpty", "purge");
        try (ServedDriver driver = ServedDriver.of(folder, "s3", purging, own, good -> good)) {
            SanityReport report =
                    new Sanity(options(driver, store.secrets(), List.of()).withDialect("cosi.v1alpha1"), _ -> {}).run();

            assertThat(report.outcomes())
                    .filteredOn(outcome -> outcome.verdict() == Verdict.FAILED)
                    .isEmpty();
            assertThat(report.ids(Verdict.PASSED))
                    .contains("credentials-granted", "credentials-revoked", "grant-no-administrator-secret");
            assertThat(report.leftBehind()).isEmpty();
        }
        assertThat(contents()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(names = "CREDENTIALS_.*", mode = EnumSource.Mode.MATCH_ALL)
    void wrongCredentialsAreNoticed(Fault fault) {
        try (ServedDriver driver = ServedDriver.of(
                folder,
                "s3",
                store.parameters(),
                DriverCredentials.none(),
                good -> new BrokenDriver(good, Optional.of(fault)))) {
            List<String> others = Sanity.ids().stream()
                    .filter(id ->
                            id.startsWith("credentials-") && !fault.noticedBy().contains(id))
                    .toList();
            if (!others.isEmpty()) {
                assertThat(run(driver, others, 30).outcomes())
                        .allSatisfy(outcome -> assertThat(outcome.verdict())
                                .as(outcome.id() + ": " + outcome.remark())
                                .isEqualTo(Verdict.PASSED));
            }
            // These fail only after the time that a store has to apply permissions, so it is short.
            assertThat(run(driver, List.copyOf(fault.noticedBy()), 3).outcomes())
                    .allSatisfy(outcome -> {
                        assertThat(outcome.verdict()).as(outcome.id()).isEqualTo(Verdict.FAILED);
                        assertThat(outcome.remark()).as(outcome.id()).contains("was answered with");
                    });
        }
    }

    private SanityReport run(ServedDriver driver, List<String> only, int seconds) {
        return new Sanity(options(driver, store.secrets(), only), _ -> {}, Duration.ofSeconds(seconds)).run();
    }

    private static SanityOptions options(ServedDriver driver, Map<String, SecretValue> secrets, List<String> only) {
        return new SanityOptions(driver.socket(), Map.of(), Map.of(), secrets, true, only, Duration.ofSeconds(60));
    }

    /** All buckets and users: what a broken driver left behind is there before and after. */
    private Set<String> contents() {
        try (S3Client s3 = store.s3();
                IamClient iam = store.iam()) {
            return Stream.concat(
                            s3.listBuckets().buckets().stream().map(Bucket::name),
                            iam.listUsers().users().stream().map(User::userName))
                    .collect(Collectors.toSet());
        }
    }
}
