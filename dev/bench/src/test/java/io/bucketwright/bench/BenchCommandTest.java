package io.bucketwright.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.bench.report.SubjectReport;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BenchCommandTest {

    @Test
    void aPartThatFailsCostsNoOther() throws InterruptedException {
        List<SubjectReport> reports = new ArrayList<>();
        List<String> failed = BenchCommand.measureAll(
                List.of(BenchSubject.BUCKETS, BenchSubject.COSI, BenchSubject.IDLE),
                (subject, measured) -> {
                    if (subject == BenchSubject.COSI) {
                        throw new CommandException("Only 4 of 5 Leases were acquired.");
                    }
                    measured.accept(report(subject.toString()));
                },
                reports);
        assertThat(failed).containsExactly("cosi: Only 4 of 5 Leases were acquired.");
        assertThat(reports).extracting(SubjectReport::name).containsExactly("buckets", "idle");
    }

    /** The API server, a process of the bench or a file can fail, and a part may have results by then. */
    @Test
    void whateverFailsWhatWasMeasuredIsKept() throws InterruptedException {
        List<SubjectReport> reports = new ArrayList<>();
        List<String> failed = BenchCommand.measureAll(
                List.of(BenchSubject.VOLUMES, BenchSubject.COSI, BenchSubject.BUCKETS, BenchSubject.IDLE),
                (subject, measured) -> {
                    measured.accept(report("first of " + subject));
                    switch (subject) {
                        case VOLUMES -> throw new KubernetesClientException("refused");
                        case COSI -> throw new IllegalStateException("not running");
                        case BUCKETS -> throw new UncheckedIOException(new IOException("disk full"));
                        default -> measured.accept(report("second of " + subject));
                    }
                },
                reports);
        assertThat(failed)
                .satisfiesExactly(
                        message -> assertThat(message).startsWith("volumes: ").contains("refused"),
                        message -> assertThat(message).startsWith("cosi: ").contains("not running"),
                        message -> assertThat(message).startsWith("buckets: ").contains("disk full"));
        assertThat(reports)
                .extracting(SubjectReport::name)
                .containsExactly(
                        "first of volumes", "first of cosi", "first of buckets", "first of idle", "second of idle");
    }

    private static SubjectReport report(String name) {
        return new SubjectReport(name, "Title", "bucketwright", List.of(), List.of(), List.of());
    }
}
