package io.bucketwright.runtime.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.ToDoubleFunction;

/** CPU time, memory and start time of the process; those of the process have the names of all Prometheus client libraries. */
public record ProcessMetrics(Runtime runtime) {

    private static final long PAGE_BYTES = 4096;
    private static final Path MEMORY = Path.of("/proc/self/statm");

    /** Registers the metrics; they are read only when somebody reads the registry. */
    public static void register(MeterRegistry meters) {
        ProcessMetrics source = new ProcessMetrics(Runtime.getRuntime());
        FunctionCounter.builder("process.cpu", source, ProcessMetrics::cpuSeconds)
                .baseUnit("seconds")
                .description("User and system CPU time")
                .register(meters);
        gauge(meters, source, "process.resident.memory", "bytes", "Resident memory", ProcessMetrics::residentBytes);
        gauge(
                meters,
                source,
                "process.start.time",
                "seconds",
                "Start time since the Unix epoch",
                ProcessMetrics::start);
        gauge(meters, source, "jvm.heap.used", "bytes", "Used heap", ProcessMetrics::usedBytes);
        gauge(meters, source, "jvm.heap.max", "bytes", "Maximum size of the heap", ProcessMetrics::maxBytes);
    }

    private static void gauge(
            MeterRegistry meters,
            ProcessMetrics source,
            String name,
            String unit,
            String description,
            ToDoubleFunction<ProcessMetrics> value) {
        Gauge.builder(name, source, value)
                .baseUnit(unit)
                .description(description)
                .strongReference(true)
                .register(meters);
    }

    double cpuSeconds() {
        return ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .orElse(Duration.ZERO)
                        .toNanos()
                / 1e9;
    }

    double residentBytes() {
        try {
            return Long.parseLong(Files.readString(MEMORY).split(" ", 3)[1]) * (double) PAGE_BYTES;
        } catch (IOException | NumberFormatException e) {
            return Double.NaN;
        }
    }

    double start() {
        return ProcessHandle.current()
                        .info()
                        .startInstant()
                        .orElse(Instant.EPOCH)
                        .toEpochMilli()
                / 1e3;
    }

    double usedBytes() {
        return (double) runtime.totalMemory() - runtime.freeMemory();
    }

    double maxBytes() {
        return runtime.maxMemory();
    }
}
