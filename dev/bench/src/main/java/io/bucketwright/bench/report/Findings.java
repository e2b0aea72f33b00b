package io.bucketwright.bench.report;

import io.bucketwright.bench.measure.Trend;
import io.bucketwright.bench.report.ProcessReport.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the figures of a subject show together, in sentences. */
public final class Findings {

    private static final double KIB_PER_MIB = 1024;
    private static final double BYTES_PER_MIB = 1024 * 1024;
    private static final double SECONDS_PER_MINUTE = 60;

    /** A watch ends by itself after some minutes. */
    private static final String WATCH = "watch ";

    private Findings() {}

    /** Whether the cost of an object depends on how many there are. The first batch is left out: the process is cold. */
    public static List<String> scale(List<PhaseReport> phases) {
        List<PhaseReport> steps = phases.stream()
                .filter(phase -> phase.name().startsWith(PhaseReport.BIND))
                .toList();
        if (steps.size() < 3) {
            return List.of();
        }
        PhaseReport second = steps.get(1);
        PhaseReport last = steps.getLast();
        List<String> findings = new ArrayList<>();
        findings.add(String.format(
                Locale.ROOT,
                "CPU time for each object: %.1f ms in the second step, %.1f ms in the last one.",
                second.cpuMillisPerObject(),
                last.cpuMillisPerObject()));
        if (steps.stream().allMatch(step -> step.heapMib() != null)) {
            Trend heap = heap(steps);
            findings.add(String.format(
                    Locale.ROOT,
                    "Reachable heap for each object: %.1f KiB, the trend of %d steps.",
                    heap.slope() * KIB_PER_MIB,
                    steps.size()));
        }
        return findings;
    }

    /**
     * What objects add that the processes have nothing to do for.
     *
     * @param phases in which the objects were created and changed
     */
    public static List<String> foreign(List<ProcessReport> processes, List<PhaseReport> phases) {
        List<String> findings = new ArrayList<>();
        for (ProcessReport process : processes) {
            Memory before = process.idle();
            Memory after = process.loaded() == null ? before : process.loaded();
            String heap = before.heap() == null || after.heap() == null
                    ? ""
                    : String.format(Locale.ROOT, "%.1f MiB of reachable heap and ", after.heap() - before.heap());
            findings.add(String.format(
                    Locale.ROOT,
                    "%s: %d foreign objects add %s%.1f MiB of resident memory.",
                    process.role(),
                    process.objects(),
                    heap,
                    after.resident() - before.resident()));
        }
        findings.add(String.format(
                Locale.ROOT,
                "Requests while they were created and changed: %d to open watches again, %d others.",
                requests(phases, WATCH),
                requests(phases, "") - requests(phases, WATCH)));
        return findings;
    }

    /** Whether memory grows with the number of objects that no longer exist. */
    public static List<String> growth(List<PhaseReport> samples) {
        if (samples.size() < 2 || samples.stream().anyMatch(sample -> sample.heapMib() == null)) {
            return List.of();
        }
        Trend heap = heap(samples);
        PhaseReport first = samples.getFirst();
        PhaseReport last = samples.getLast();
        int objects = samples.stream().mapToInt(PhaseReport::objects).sum();
        return List.of(String.format(
                Locale.ROOT,
                "Reachable heap: %.2f MiB after %d objects, %.2f MiB after %d, a trend of %.0f bytes for each object."
                        + " Resident memory: %.0f MiB, then %.0f MiB.",
                heap.first(),
                first.objects(),
                heap.last(),
                objects,
                heap.slope() * BYTES_PER_MIB,
                first.residentMib(),
                last.residentMib()));
    }

    /** What a replica requests that does not lead. */
    public static String standby(List<PhaseReport> samples) {
        double seconds = samples.stream().mapToDouble(PhaseReport::seconds).sum();
        long leases = requests(samples, "get leases");
        long watches = requests(samples, WATCH);
        long all = requests(samples, "");
        return String.format(
                Locale.ROOT,
                "Requests in %.1f minutes: %d for the Lease, one in %.1f s; %d to open watches again; %d others.",
                seconds / SECONDS_PER_MINUTE,
                leases,
                leases == 0 ? 0 : seconds / leases,
                watches,
                all - leases - watches);
    }

    private static long requests(List<PhaseReport> phases, String prefix) {
        return phases.stream()
                .flatMap(phase -> phase.requests().entrySet().stream())
                .filter(entry -> entry.getKey().startsWith(prefix))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Heap over the number of objects up to then. */
    private static Trend heap(List<PhaseReport> phases) {
        double[] objects = new double[phases.size()];
        double[] heap = new double[phases.size()];
        double sum = 0;
        for (int i = 0; i < phases.size(); i++) {
            PhaseReport phase = phases.get(i);
            sum += phase.objects();
            objects[i] = sum;
            Double measured = phase.heapMib();
            heap[i] = measured == null ? 0 : measured;
        }
        return Trend.of(objects, heap);
    }
}
