package io.bucketwright.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One phase: the same operation on many objects.
 *
 * @param objects how many
 * @param seconds from the first request of the bench until the last object was done
 * @param medianMillis from the request of the bench for an object until it was done, as a watch shows it
 * @param writes of objects other than events, by the measured users, all together
 * @param reads of single objects
 * @param requests by verb and resource
 * @param cpuMillis of each process, until it had nothing left to do
 * @param serverCpuMillis of the API server and of etcd in the same time
 * @param residentMib memory of all processes afterwards (RSS)
 * @param heapMib reachable heap of all processes afterwards; absent if it was not measured
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PhaseReport(
        String name,
        int objects,
        double seconds,
        @Nullable Double medianMillis,
        @Nullable Double p99Millis,
        long writes,
        long reads,
        long events,
        SortedMap<String, Long> requests,
        SortedMap<String, Long> cpuMillis,
        @JsonSetter(nulls = Nulls.AS_EMPTY) SortedMap<String, Long> serverCpuMillis,
        double residentMib,
        @Nullable Double heapMib) {

    /** A batch; the first one is by a fresh process. */
    public static final String BIND = "bind";

    /** A second batch, by the same process. */
    public static final String WARM = "bind again";

    /** Objects that are created one at a time. */
    public static final String SINGLE = "one at a time";

    public static final String DELETE = "delete";

    /** The process is started, and no object exists. */
    public static final String START = "start";

    /** The process is stopped and started again while objects exist. */
    public static final String RESTART = "restart";

    public PhaseReport {
        requests = Collections.unmodifiableSortedMap(new TreeMap<>(requests));
        cpuMillis = Collections.unmodifiableSortedMap(new TreeMap<>(cpuMillis));
        serverCpuMillis = Collections.unmodifiableSortedMap(new TreeMap<>(serverCpuMillis));
    }

    /** The same, with the heap. */
    public PhaseReport withHeap(@Nullable Double mib) {
        return new PhaseReport(
                name,
                objects,
                seconds,
                medianMillis,
                p99Millis,
                writes,
                reads,
                events,
                requests,
                cpuMillis,
                serverCpuMillis,
                residentMib,
                mib);
    }

    /** Objects per second; 0 where a rate says nothing, because no object was provisioned or deleted for a user. */
    public double perSecond() {
        return seconds > 0 && medianMillis != null && !name.equals(SINGLE) ? objects / seconds : 0;
    }

    /** CPU time of all measured processes per object. */
    public double cpuMillisPerObject() {
        return perObject(totalCpuMillis());
    }

    /** CPU time of all measured processes. */
    public long totalCpuMillis() {
        return cpuMillis.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Whether something is done for each object; a start does nothing for them. */
    boolean isPerObject() {
        return !name.equals(START) && !name.equals(RESTART);
    }

    /** A total divided by the number of objects. */
    public double perObject(long total) {
        return total / (double) Math.max(1, objects);
    }
}
