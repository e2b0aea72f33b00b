package io.bucketwright.bench.report;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.List;
import java.util.Optional;

/**
 * The results of one kind of object.
 *
 * @param name such as buckets
 * @param controller what was measured: bucketwright, or another command
 * @param phases of the controller, in order
 * @param ceiling the same phases of the ceiling; empty if it was not measured
 * @param findings what the figures show together, in sentences
 */
public record SubjectReport(
        String name,
        String title,
        String controller,
        List<PhaseReport> phases,
        List<PhaseReport> ceiling,
        List<ProcessReport> processes,
        @JsonSetter(nulls = Nulls.AS_EMPTY) List<String> findings) {

    public SubjectReport {
        phases = List.copyOf(phases);
        ceiling = List.copyOf(ceiling);
        processes = List.copyOf(processes);
        findings = List.copyOf(findings);
    }

    /** Without findings. */
    public SubjectReport(
            String name,
            String title,
            String controller,
            List<PhaseReport> phases,
            List<PhaseReport> ceiling,
            List<ProcessReport> processes) {
        this(name, title, controller, phases, ceiling, processes, List.of());
    }

    public Optional<PhaseReport> phase(String phase) {
        return phases.stream().filter(each -> each.name().equals(phase)).findFirst();
    }

    /** What the ceiling did in the same phase. For the first batch it is the second one: the ceiling has no cold start. */
    public Optional<PhaseReport> ceilingOf(String phase) {
        String same = phase.startsWith(PhaseReport.BIND) ? PhaseReport.WARM : phase;
        return ceiling.stream().filter(each -> each.name().equals(same)).findFirst();
    }

    /** Rate of this phase divided by that of the ceiling; empty if either has no rate. */
    public Optional<Double> shareOfCeiling(PhaseReport phase) {
        return ceilingOf(phase.name())
                .filter(limit -> limit.perSecond() > 0 && phase.perSecond() > 0)
                .map(limit -> phase.perSecond() / limit.perSecond());
    }
}
