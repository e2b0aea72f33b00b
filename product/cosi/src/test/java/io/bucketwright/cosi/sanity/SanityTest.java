package io.bucketwright.cosi.sanity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.cosi.fixture.V1alpha2StubDriver;
import io.bucketwright.cosi.sanity.CheckResult.Verdict;
import io.bucketwright.cosi.sanity.Sanity.Unreachable;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.cosi.wire.SocketServer;
import io.bucketwright.store.connection.SecretValue;
import io.grpc.ServerServiceDefinition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Execution(ExecutionMode.CONCURRENT)
class SanityTest {

    @TempDir
    private Path folder = Path.of("/");

    @Test
    void ourDriverPasses() {
        try (ServedDriver driver = ServedDriver.none(folder)) {
            SanityReport report = new Sanity(SanityOptions.of(driver.socket()), _ -> {}).run();

            assertThat(report.outcomes())
                    .filteredOn(outcome -> outcome.verdict() == Verdict.FAILED)
                    .isEmpty();
            assertThat(report.leftBehind()).isEmpty();
            assertThat(report.passed()).isTrue();
            assertThat(report.driver()).isEqualTo("none.example.com");
            assertThat(report.protocol()).isEqualTo("s3");
        }
    }

    @Test
    void ourDriverPassesInTheReleasedDialect() {
        try (ServedDriver driver = ServedDriver.none(folder)) {
            SanityReport report =
                    new Sanity(SanityOptions.of(driver.socket()).withDialect("cosi.v1alpha1"), _ -> {}).run();

            assertThat(report.outcomes())
                    .filteredOn(outcome -> outcome.verdict() == Verdict.FAILED)
                    .isEmpty();
            assertThat(report.leftBehind()).isEmpty();
            assertThat(report.protocol()).isEqualTo("cosi.v1alpha1");
            assertThat(report.ids(Verdict.PASSED))
                    .contains("create-repeat", "grant-repeat", "grant-connection", "revoke-no-context");
            assertThat(report.outcomes())
                    .filteredOn(outcome -> outcome.id().equals("errors-names"))
                    .singleElement()
                    .satisfies(outcome -> assertThat(outcome.remark()).isEqualTo("the check needs errors with names"));
        }
    }

    @Test
    void aDriverOfAnotherProtocolIsAnError() {
        try (SocketServer server = SocketServer.start(
                new SocketPath(folder.resolve("cosi.sock")),
                List.of(() -> ServerServiceDefinition.builder("example.Other").build()))) {
            assertThatThrownBy(() -> new Sanity(SanityOptions.of(server.socket()), _ -> {}).run())
                    .isInstanceOf(Unreachable.class)
                    .hasMessageContaining("does not serve the gRPC package cosi.v1 and cosi.v1alpha1");
        }
    }

    @Test
    void aDriverOfV1alpha2IsRefusedWithOneSentence() {
        try (V1alpha2StubDriver driver = new V1alpha2StubDriver("next.test")) {
            assertThatThrownBy(() -> new Sanity(SanityOptions.of(SocketPath.parse(driver.endpoint())), _ -> {}).run())
                    .isInstanceOf(Unreachable.class)
                    .hasMessageEndingWith("It speaks sigs.k8s.io.cosi.v1alpha2, which is not released: run a version of"
                            + " the driver that speaks cosi.v1alpha1.");
        }
    }

    @Test
    void aGoodDriverWithAPasswordPassesAllChecksThatNeedNoStore() {
        SanityReport report = run(Optional.empty());

        assertThat(report.ids(Verdict.FAILED)).isEmpty();
        assertThat(report.ids(Verdict.SKIPPED)).allMatch(id -> id.startsWith("credentials-"));
        assertThat(report.leftBehind()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = "CREDENTIALS_.*", mode = EnumSource.Mode.MATCH_NONE)
    void aFaultIsNoticedByItsChecksAndByNoOther(Fault fault) {
        SanityReport report = run(Optional.of(fault));

        assertThat(report.ids(Verdict.FAILED)).isEqualTo(fault.noticedBy());
        assertThat(report.passed()).isFalse();
        assertThat(report.outcomes())
                .filteredOn(outcome -> outcome.verdict() == Verdict.FAILED)
                .allMatch(outcome -> !outcome.remark().isBlank());
    }

    @Test
    void everyCheckCanFail() {
        List<String> noticed = Arrays.stream(Fault.values())
                .flatMap(fault -> fault.noticedBy().stream())
                .toList();

        // The faults of credentials are tested in SanityIT, with a store; those of the released protocol in
        // VendorSanityTest.
        assertThat(Stream.concat(noticed.stream(), Stream.of("grant-connection", "revoke-no-context")))
                .containsAll(Sanity.ids());
        assertThat(Sanity.ids()).doesNotHaveDuplicates();
    }

    @Test
    void aDriverThatDoesNotAnswerIsAnError() {
        SanityOptions options =
                options(new SocketPath(folder.resolve("nobody.sock")), Map.of(), Duration.ofMillis(200));

        assertThatThrownBy(() -> new Sanity(options, _ -> {}).run())
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("nobody.sock")
                .hasMessageContaining("Check that the driver runs");
    }

    private SanityReport run(Optional<Fault> fault) {
        try (ServedDriver driver = ServedDriver.none(folder, good -> new BrokenDriver(good, fault))) {
            SanityOptions options = options(
                    driver.socket(), Map.of("password", SecretValue.of(BrokenDriver.PASSWORD)), Duration.ofSeconds(30));
            return new Sanity(options, _ -> {}).run();
        }
    }

    private static SanityOptions options(SocketPath socket, Map<String, SecretValue> secrets, Duration timeout) {
        return new SanityOptions(socket, Map.of(), Map.of(), secrets, false, List.of(), timeout);
    }
}
