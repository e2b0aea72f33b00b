package io.bucketwright.app.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.doctor.checks.Finding;
import io.bucketwright.app.doctor.checks.FoundObject;
import io.bucketwright.app.doctor.checks.Severity;
import io.bucketwright.app.doctor.observation.CheckName;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTextTest {

    private static final FoundObject CLAIM = new FoundObject("ObjectBucketClaim", "web", "photos");

    @Test
    void findingsFitIntoTheWidth() {
        DoctorReport report = DoctorReport.of(
                "v1.36.3",
                List.of(CheckName.SERVER, CheckName.CLAIMS),
                List.of(
                        new Finding(
                                Severity.ERROR,
                                CheckName.CLAIMS,
                                "ClaimFailed",
                                CLAIM,
                                "Invalid: one two three four five six seven.",
                                CLAIM.describe()),
                        new Finding(Severity.INFO, CheckName.CLAIMS, Finding.NOT_CHECKED, CLAIM, "x", "")));
        assertThat(String.join("\n", new ReportText(report, 40).lines())).isEqualTo("""
                Kubernetes v1.36.3
                  server       ok
                  claims       1 error, incomplete

                ERROR ClaimFailed: ObjectBucketClaim
                    web/photos
                    Invalid: one two three four five six
                    seven.
                    > kubectl describe -n web
                      objectbucketclaim photos

                INFO NotChecked: ObjectBucketClaim
                    web/photos
                    x

                1 error, 0 warnings.""");
        assertThat(report.exitCode()).isEqualTo(1);
    }

    @Test
    void informationIsNoProblem() {
        DoctorReport report = DoctorReport.of(
                "v1.36.3",
                List.of(CheckName.CLAIMS),
                List.of(new Finding(Severity.INFO, CheckName.CLAIMS, Finding.NOT_CHECKED, CLAIM, "x", "")));
        assertThat(report.exitCode()).isZero();
        assertThat(new ReportText(report, 80).lines()).endsWith("No problems found.");
    }
}
