package io.bucketwright.runtime.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/** CPU time, memory and start time of the process; those of the process have the names of all Prometheus client libraries. */
public final class ProcessMetrics {

    private static final long PAGE_BYTES = 4096;
    private static final Path MEMORY = Path.of("/proc/self/statm");

    private ProcessMetrics() {}

    /** Registers the metrics; they are read only when somebody reads the registry. */
    public static void register(MeterRegistry meters) {
        Runtime runtime = Runtime.getRuntime();
        FunctionCounter.builder("process.cpu", ProcessHandle.current(), ProcessMetrics::cpuSeconds)
                .baseUnit("seconds")
                .description("User and system CPU time")
                .register(meters);
        gauge(meters, "process.resident.memory", "bytes", "Resident memory", ProcessMetrics::residentBytes);
        gauge(meters, "process.start.time", "seconds", "Start time since the Unix epoch", ProcessMetrics::start);
        gauge(meters, "jvm.heap.used", "bytes", "Used heap", () -> runtime.totalMemory() - runtime.freeMemory());
        gauge(meters, "jvm.heap.max", "bytes", "Maximum size of the heap", runtime::maxMemory);
    }

    private static void gauge(
            MeterRegistry meters, String name, String unit, String description, Supplier<Number> value) {
        Gauge.builder(name, value)
                .baseUnit(unit)
                .description(description)
                .strongReference(true)
                .register(meters);
    }

    private static double cpuSeconds(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    }

    private static double residentBytes() {
        try {
            return Long.parseLong(Files.readString(MEMORY).split(" ", 3)[1]) * (double) PAGE_BYTES;
        } catch (IOException | NumberFormatException e) {
            return Double.NaN;
        }
    }

    private static double start() {
        return ProcessHandle.current()
                        .info()
                        .startInstant()
                        .orElse(Instant.EPOCH)
                        .toEpochMilli()
                / 1e3;
    }
}
