package io.bucketwright.api.cosi;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.status.BucketAccessPhase;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract between sidecar and controller, which may run in different versions: the golden file never changes. */
class ProvisionerReportTest {

    private static final ProvisionerReport REPORT = new ProvisionerReport(
            BucketAccessPhase.FAILED, ProvisionerReason.INVALID_PRINCIPAL, "There is no ServiceAccount \"app\".");

    @Test
    void theFormatIsTheGoldenFile() throws IOException {
        assertThat(REPORT.encode()).isEqualTo(golden());
        assertThat(ProvisionerReport.parse(golden())).isEqualTo(REPORT);
    }

    @ParameterizedTest
    @EnumSource
    void everyReasonIsReadBack(ProvisionerReason reason) {
        ProvisionerReport report = new ProvisionerReport(BucketAccessPhase.RETRYING, reason, "m");
        assertThat(ProvisionerReport.parse(report.encode())).isEqualTo(report);
    }

    @Test
    void reasonsAreUnique() {
        assertThat(Arrays.stream(ProvisionerReason.values()).map(ProvisionerReason::text))
                .doesNotHaveDuplicates()
                .allMatch(text -> text.matches("[A-Z][A-Za-z]+"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "the store is not reachable",
                "Failed: InvalidArgument: no",
                "[]",
                "{",
                "null",
                "{\"version\":\"one\"}",
                "{\"version\":2,\"phase\":\"Failed\",\"reason\":\"InvalidArgument\"}"
            })
    void textInAnotherFormatIsShownAsItIs(String text) {
        ProvisionerReport report = ProvisionerReport.parse(text);
        assertThat(report)
                .isEqualTo(new ProvisionerReport(BucketAccessPhase.RETRYING, ProvisionerReason.UNKNOWN, text));
        assertThat(report.summary()).isEqualTo(text);
    }

    @Test
    void anUnknownReasonOrPhaseIsTolerated() {
        assertThat(ProvisionerReport.parse("{\"version\":1,\"phase\":\"New\",\"reason\":\"New\",\"extra\":1}"))
                .isEqualTo(new ProvisionerReport(BucketAccessPhase.RETRYING, ProvisionerReason.UNKNOWN, ""));
    }

    @Test
    void onlyTheMessageOfARetryMayDiffer() {
        ProvisionerReport retry =
                new ProvisionerReport(BucketAccessPhase.RETRYING, ProvisionerReason.INTERNAL_ERROR, "first");
        assertThat(retry.isSameProblem(
                        new ProvisionerReport(BucketAccessPhase.RETRYING, ProvisionerReason.INTERNAL_ERROR, "second")))
                .isTrue();
        assertThat(REPORT.isSameProblem(REPORT)).isTrue();
        assertThat(REPORT.isSameProblem(new ProvisionerReport(REPORT.phase(), REPORT.reason(), "other")))
                .isFalse();
        assertThat(REPORT.isSameProblem(retry)).isFalse();
    }

    private static String golden() throws IOException {
        try (InputStream file = ProvisionerReportTest.class.getResourceAsStream("/golden/provisioner-report-v1.json")) {
            return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
