package io.bucketwright.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The figures of a report as an SVG image: rates beside those of the ceiling, and memory. */
public final class ReportPlot {

    private static final int WIDTH = 760;
    private static final int LABELS = 250;
    private static final int BAR = 14;
    private static final int ROW = 22;
    private static final int HEAD = 34;
    private static final String OURS = "#2c6fbb";
    private static final String CEILING = "#c9ccd1";
    private static final String LOADED = "#e08a2e";

    private ReportPlot() {}

    /**
     * A bar, and the longer one behind it.
     *
     * @param behind 0 for none
     */
    private record Bar(String label, double value, double behind, String color, String text) {}

    private record Panel(String title, List<Bar> bars) {}

    public static String svg(BenchReport report) {
        List<Panel> panels = new ArrayList<>();
        for (SubjectReport subject : report.subjects()) {
            Panel rates = new Panel(
                    subject.title() + ": per second; grey: the ceiling",
                    subject.phases().stream()
                            .filter(phase -> phase.perSecond() > 0)
                            .map(phase -> rate(subject, phase))
                            .toList());
            Panel cpu = new Panel(
                    subject.title() + ": CPU ms per object; grey: the ceiling",
                    subject.phases().stream()
                            .filter(phase -> phase.perSecond() > 0)
                            .map(phase -> cpu(subject, phase))
                            .toList());
            Panel memory = new Panel(
                    subject.title() + ": resident memory in MiB; orange: loaded",
                    subject.processes().stream()
                            .flatMap(process -> memory(process).stream())
                            .toList());
            Panel heap = new Panel(
                    subject.title() + ": reachable heap in MiB",
                    subject.phases().stream()
                            .flatMap(phase -> heap(phase).stream())
                            .toList());
            panels.addAll(List.of(rates, cpu, memory, heap));
        }
        return draw(panels.stream().filter(panel -> !panel.bars().isEmpty()).toList());
    }

    private static Bar rate(SubjectReport subject, PhaseReport phase) {
        double ceiling =
                subject.ceilingOf(phase.name()).map(PhaseReport::perSecond).orElse(0.0);
        String share = subject.shareOfCeiling(phase)
                .map(value -> " (" + ReportTables.number(value, 2) + " of the ceiling)")
                .orElse("");
        return new Bar(
                phase.name(), phase.perSecond(), ceiling, OURS, ReportTables.number(phase.perSecond(), 1) + share);
    }

    private static Bar cpu(SubjectReport subject, PhaseReport phase) {
        double ceiling = subject.ceilingOf(phase.name())
                .map(PhaseReport::cpuMillisPerObject)
                .orElse(0.0);
        return new Bar(
                phase.name(),
                phase.cpuMillisPerObject(),
                ceiling,
                OURS,
                ReportTables.number(phase.cpuMillisPerObject(), 1));
    }

    private static Optional<Bar> heap(PhaseReport phase) {
        return Optional.ofNullable(phase.heapMib())
                .map(mib -> new Bar(phase.name(), mib, 0, OURS, ReportTables.number(mib, 1)));
    }

    private static List<Bar> memory(ProcessReport process) {
        Bar idle = bar(process.role() + ", idle", process.idle(), OURS);
        return Optional.ofNullable(process.loaded())
                .map(loaded -> List.of(idle, bar(process.role() + ", loaded", loaded, LOADED)))
                .orElse(List.of(idle));
    }

    private static Bar bar(String label, ProcessReport.Memory memory, String color) {
        return new Bar(label, memory.resident(), 0, color, ReportTables.number(memory.resident(), 0));
    }

    private static String draw(List<Panel> panels) {
        StringBuilder body = new StringBuilder();
        int y = 0;
        for (Panel panel : panels) {
            body.append(text(8, y + 22, "bold", "start", panel.title()));
            y += HEAD;
            double longest = panel.bars().stream()
                    .mapToDouble(bar -> Math.max(bar.value(), bar.behind()))
                    .max()
                    .orElse(1);
            double scale = (WIDTH - LABELS - 190) / Math.max(longest, 1e-9);
            for (Bar bar : panel.bars()) {
                body.append(text(LABELS - 8, y + 11, "normal", "end", bar.label()));
                body.append(rectangle(y, bar.behind() * scale, CEILING));
                body.append(rectangle(y + 3, bar.value() * scale, BAR - 6, bar.color()));
                double end = LABELS + Math.max(bar.value(), bar.behind()) * scale + 6;
                body.append(text((int) end, y + 11, "normal", "start", bar.text()));
                y += ROW;
            }
            y += 10;
        }
        return """
                <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">
                <rect width="100%%" height="100%%" fill="white"/>
                %s</svg>
                """.formatted(WIDTH, y + 8, body);
    }

    private static String rectangle(int y, double width, String color) {
        return rectangle(y, width, BAR, color);
    }

    private static String rectangle(int y, double width, int height, String color) {
        return width <= 0
                ? ""
                : "<rect x=\"%d\" y=\"%d\" width=\"%s\" height=\"%d\" fill=\"%s\"/>%n"
                        .formatted(LABELS, y, ReportTables.number(width, 1), height, color);
    }

    private static String text(int x, int y, String weight, String anchor, String content) {
        return "<text x=\"%d\" y=\"%d\" font-weight=\"%s\" text-anchor=\"%s\">%s</text>%n"
                .formatted(x, y, weight, anchor, escaped(content));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
