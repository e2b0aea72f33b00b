package io.bucketwright.app.doctor;

import io.bucketwright.app.doctor.checks.Finding;
import io.bucketwright.app.doctor.checks.Severity;
import io.bucketwright.app.doctor.observation.CheckName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The report as text of a given width. */
record ReportText(DoctorReport report, int width) {

    private static final String INDENT = "    ";
    private static final int LONGEST_CHECK = 13;

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("Kubernetes " + report.serverVersion());
        report.checks().forEach(check -> lines.add("  " + pad(check.toString()) + summary(check)));
        report.findings().forEach(finding -> add(finding, lines));
        lines.add("");
        lines.add(
                report.exitCode() == 0
                        ? "No problems found."
                        : amount(report.errors(), "error") + ", " + amount(report.warnings(), "warning") + ".");
        return lines;
    }

    private String summary(CheckName check) {
        long errors = report.count(check, Severity.ERROR);
        long warnings = report.count(check, Severity.WARNING);
        List<String> parts = new ArrayList<>();
        if (errors > 0) {
            parts.add(amount(errors, "error"));
        }
        if (warnings > 0) {
            parts.add(amount(warnings, "warning"));
        }
        boolean incomplete = report.findings().stream()
                .anyMatch(
                        finding -> finding.check() == check && finding.reason().equals(Finding.NOT_CHECKED));
        if (incomplete) {
            parts.add("incomplete");
        }
        return parts.isEmpty() ? "ok" : String.join(", ", parts);
    }

    private void add(Finding finding, List<String> lines) {
        lines.add("");
        lines.addAll(wrapped(
                finding.severity().toString().toUpperCase(Locale.ROOT) + " " + finding.reason() + ": "
                        + finding.object(),
                "",
                INDENT));
        lines.addAll(wrapped(finding.message(), INDENT, INDENT));
        if (!finding.action().isEmpty()) {
            lines.addAll(wrapped(finding.action(), INDENT + "> ", INDENT + "  "));
        }
    }

    /** Breaks at spaces. A word that is longer than a line, such as a long name, is not broken. */
    private List<String> wrapped(String text, String first, String next) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(first);
        boolean empty = true;
        for (String word : text.split(" ", -1)) {
            if (!empty && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line = new StringBuilder(next);
                empty = true;
            }
            line.append(empty ? "" : " ").append(word);
            empty = false;
        }
        lines.add(line.toString());
        return lines;
    }

    private static String pad(String text) {
        return text + " ".repeat(Math.max(1, LONGEST_CHECK - text.length()));
    }

    private static String amount(long count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }
}
