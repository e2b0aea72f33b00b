package io.bucketwright.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * One process of a controller.
 *
 * @param role such as buckets
 * @param leadingMillis from its start until it held its lease; absent for a process without a lease
 * @param leadingCpuMillis CPU time until then
 * @param idleCpuMillisPerMinute CPU time while nothing happens; absent if it was not measured
 * @param idle memory after the start
 * @param loaded memory with all objects; absent if there were none
 * @param objects number of objects that {@code loaded} is about
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProcessReport(
        String role,
        @Nullable Long leadingMillis,
        @Nullable Long leadingCpuMillis,
        @Nullable Double idleCpuMillisPerMinute,
        Memory idle,
        @Nullable Memory loaded,
        int objects) {

    /**
     * Memory of a process in MiB.
     *
     * @param resident RSS
     * @param proportional PSS
     * @param heap reachable objects after a garbage collection; absent if the process is not a JVM
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Memory(
            double resident, double proportional, @Nullable Double heap) {}

    /** Reachable heap per object in KiB, or null if it is not known. */
    public @Nullable Double heapKibPerObject() {
        Memory full = loaded;
        if (full == null || objects == 0) {
            return null;
        }
        Double before = idle.heap();
        Double after = full.heap();
        return before == null || after == null ? null : (after - before) * 1024 / objects;
    }
}
