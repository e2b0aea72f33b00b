package io.bucketwright.app.doctor;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.bucketwright.app.doctor.checks.Finding;
import io.bucketwright.app.doctor.checks.Severity;
import io.bucketwright.app.doctor.observation.CheckName;
import java.util.List;

/**
 * The result of the command. Fields are only ever added to its JSON, as long as the version stays the same.
 *
 * @param version of the format
 * @param serverVersion of the API server
 * @param checks those that were run
 */
@JsonPropertyOrder({"version", "serverVersion", "checks", "errors", "warnings", "findings"})
record DoctorReport(
        int version, String serverVersion, List<CheckName> checks, long errors, long warnings, List<Finding> findings) {

    private static final int VERSION = 1;

    DoctorReport {
        checks = List.copyOf(checks);
        findings = List.copyOf(findings);
    }

    static DoctorReport of(String serverVersion, List<CheckName> checks, List<Finding> findings) {
        return new DoctorReport(
                VERSION,
                serverVersion,
                checks,
                count(findings, Severity.ERROR),
                count(findings, Severity.WARNING),
                findings);
    }

    int exitCode() {
        return errors + warnings == 0 ? 0 : 1;
    }

    long count(CheckName check, Severity severity) {
        return count(
                findings.stream().filter(finding -> finding.check() == check).toList(), severity);
    }

    private static long count(List<Finding> findings, Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }
}
