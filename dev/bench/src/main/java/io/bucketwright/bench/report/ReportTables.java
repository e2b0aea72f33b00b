package io.bucketwright.bench.report;

import io.bucketwright.bench.report.ProcessReport.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables of a report. A dash is a value that does not exist or was not measured. */
public final class ReportTables {

    private static final String NONE = "-";
    private static final int MAX_LINE = 120;

    private static final List<String> PHASE_COLUMNS = List.of(
            "phase",
            "objects",
            "per second",
            "of the ceiling",
            "median ms",
            "p99 ms",
            "writes each",
            "reads each",
            "events each",
            "CPU ms each",
            "server CPU ms each",
            "RSS MiB");

    private static final String HEAP_COLUMN = "heap MiB";

    private ReportTables() {}

    /** All tables, for a terminal. */
    public static String text(BenchReport report) {
        StringBuilder text = new StringBuilder(facts(report)).append('\n');
        for (SubjectReport subject : report.subjects()) {
            text.append('\n').append(title(subject)).append('\n');
            if (!subject.phases().isEmpty()) {
                text.append(phases(subject).text());
            }
            if (!subject.processes().isEmpty()) {
                text.append('\n').append(processes(subject).text());
            }
            notes(subject).forEach(line -> text.append(line).append('\n'));
        }
        return text.toString();
    }

    /** All tables, as Markdown with lines of at most 120 characters outside of the tables. */
    public static String markdown(BenchReport report) {
        StringBuilder text = new StringBuilder(facts(report)).append('\n');
        for (SubjectReport subject : report.subjects()) {
            text.append("\n### ").append(title(subject)).append("\n\n");
            if (!subject.phases().isEmpty()) {
                text.append(phases(subject).markdown()).append('\n');
            }
            if (!subject.processes().isEmpty()) {
                text.append(processes(subject).markdown()).append('\n');
            }
            notes(subject).forEach(line -> text.append(listItem(line)));
        }
        return text.toString();
    }

    /** An item of a list, in lines of at most 120 characters. */
    private static String listItem(String text) {
        StringBuilder item = new StringBuilder("-");
        int length = 1;
        for (String word : text.split(" ", -1)) {
            if (length + 1 + word.length() > MAX_LINE) {
                item.append("\n ");
                length = 1;
            }
            item.append(' ').append(word);
            length += 1 + word.length();
        }
        return item.append('\n').toString();
    }

    private static String facts(BenchReport report) {
        String commit = report.commit().isEmpty() ? "" : " (" + report.commit() + ")";
        String options = report.javaOptions().isEmpty() ? "" : " with " + report.javaOptions();
        return "Bucketwright " + report.bucketwright() + commit + ", " + report.date() + "\n"
                + report.machine().cpu() + ", " + report.machine().cores() + " cores, "
                + report.machine().memoryMib() + " MiB\n"
                + "Java " + report.jvm() + options + ", Kubernetes " + report.kubernetes() + ", " + report.workers()
                + " workers";
    }

    private static String title(SubjectReport subject) {
        return subject.title() + (subject.controller().equals("bucketwright") ? "" : ": " + subject.controller());
    }

    private static ReportTable phases(SubjectReport subject) {
        List<List<String>> rows = new ArrayList<>();
        for (PhaseReport phase : subject.phases()) {
            rows.add(row(
                    phase.name(),
                    phase,
                    subject.shareOfCeiling(phase).map(share -> number(share, 2)).orElse(NONE)));
        }
        subject.ceiling().forEach(phase -> rows.add(row("ceiling: " + phase.name(), phase, NONE)));
        // Only some subjects measure the heap after each phase.
        boolean heap = subject.phases().stream().anyMatch(phase -> phase.heapMib() != null);
        List<String> header = heap
                ? Stream.concat(PHASE_COLUMNS.stream(), Stream.of(HEAP_COLUMN)).toList()
                : PHASE_COLUMNS;
        return new ReportTable(
                header, rows.stream().map(row -> row.subList(0, header.size())).toList());
    }

    private static List<String> row(String name, PhaseReport phase, String share) {
        return List.of(
                name,
                Integer.toString(phase.objects()),
                phase.perSecond() > 0 ? number(phase.perSecond(), 1) : NONE,
                share,
                number(phase.medianMillis(), 0),
                number(phase.p99Millis(), 0),
                number(phase.perObject(phase.writes()), 2),
                number(phase.perObject(phase.reads()), 2),
                number(phase.perObject(phase.events()), 2),
                phase.isPerObject() ? cpu(phase.cpuMillisPerObject()) : NONE,
                phase.isPerObject() && !phase.serverCpuMillis().isEmpty()
                        ? cpu(phase.perObject(phase.serverCpuMillis().values().stream()
                                .mapToLong(Long::longValue)
                                .sum()))
                        : NONE,
                number(phase.residentMib(), 0),
                number(phase.heapMib(), 1));
    }

    /** The cost of an object that needs no work is far below a millisecond. */
    private static String cpu(double millis) {
        return number(millis, millis < 1 ? 3 : 1);
    }

    private static ReportTable processes(SubjectReport subject) {
        return new ReportTable(
                List.of(
                        "process",
                        "leading ms",
                        "leading CPU ms",
                        "idle CPU ms/min",
                        "idle RSS MiB",
                        "PSS",
                        "heap",
                        "loaded RSS MiB",
                        "PSS",
                        "heap",
                        "heap KiB each"),
                subject.processes().stream().map(ReportTables::row).toList());
    }

    private static List<String> row(ProcessReport process) {
        return Stream.of(
                        Stream.of(
                                process.role(),
                                number(process.leadingMillis(), 0),
                                number(process.leadingCpuMillis(), 0),
                                number(process.idleCpuMillisPerMinute(), 0)),
                        memory(process.idle()),
                        memory(process.loaded()),
                        Stream.of(number(process.heapKibPerObject(), 1)))
                .flatMap(cells -> cells)
                .toList();
    }

    private static Stream<String> memory(@Nullable Memory memory) {
        return memory == null
                ? Stream.of(NONE, NONE, NONE)
                : Stream.of(number(memory.resident(), 0), number(memory.proportional(), 0), number(memory.heap(), 1));
    }

    /** Lines below the tables. */
    private static List<String> notes(SubjectReport subject) {
        return Stream.concat(subject.findings().stream(), requests(subject)).toList();
    }

    private static Stream<String> requests(SubjectReport subject) {
        return subject.phases().stream()
                .filter(phase -> !phase.requests().isEmpty() && isRepresentative(subject, phase))
                .map(phase -> "Requests of " + phase.name() + ": "
                        + phase.requests().entrySet().stream()
                                .map(entry -> count(phase, entry))
                                .collect(Collectors.joining(", "))
                        + (phase.isPerObject() ? "" : "; " + phase.totalCpuMillis() + " ms of CPU in all"));
    }

    /** Whether the phase has other requests than the one before it; all batches cost the same. */
    private static boolean isRepresentative(SubjectReport subject, PhaseReport phase) {
        int index = subject.phases().indexOf(phase);
        return index == 0
                || !subject.phases()
                        .get(index - 1)
                        .requests()
                        .keySet()
                        .equals(phase.requests().keySet());
    }

    /** Requests that come once per object as a number per object, the others in all. */
    private static String count(PhaseReport phase, Map.Entry<String, Long> entry) {
        boolean each = phase.isPerObject() && entry.getValue() * 2 >= phase.objects();
        return entry.getKey() + " "
                + (each ? number(phase.perObject(entry.getValue()), 2) + " each" : entry.getValue() + " in all");
    }

    static String number(@Nullable Number value, int digits) {
        return value == null ? NONE : String.format(Locale.ROOT, "%." + digits + "f", value.doubleValue());
    }
}
