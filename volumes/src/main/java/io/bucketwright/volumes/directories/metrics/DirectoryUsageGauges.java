package io.bucketwright.volumes.directories.metrics;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.volumes.directories.files.DirectoryTree.Space;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.roots.Root;
import io.bucketwright.volumes.directories.roots.RootState;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** The gauges of disk usage. */
final class DirectoryUsageGauges {

    private record Usage(Tags tags, long usedBytes, long requestedBytes) {}

    private final Map<ObjectKey, Usage> volumes = new ConcurrentHashMap<>();
    private final Map<Path, Space> fileSystems = new ConcurrentHashMap<>();
    private final MultiGauge used;
    private final MultiGauge requested;

    DirectoryUsageGauges(MeterRegistry meters, Iterable<Root> roots) {
        used = MultiGauge.builder("bucketwright.directory.used")
                .baseUnit("bytes")
                .description("Disk space of the volume's directory; a lower bound for large trees")
                .register(meters);
        requested = MultiGauge.builder("bucketwright.directory.requested")
                .baseUnit("bytes")
                .description("Size that the volume's claim requested")
                .register(meters);
        for (Root root : roots) {
            disk(
                    meters,
                    "free",
                    root,
                    "Free space of the root's file system",
                    _ -> space(root).free());
            disk(
                    meters,
                    "total",
                    root,
                    "Size of the root's file system",
                    _ -> space(root).total());
            disk(meters, "requested", root, "Sum of the sizes that claims in the root requested", Root::requestedBytes);
            Gauge.builder("bucketwright.root.open", root, opened -> opened.state() instanceof RootState.Open ? 1 : 0)
                    .tag("root", root.path().toString())
                    .description("1 while this process leads and the root is accessible")
                    .register(meters);
        }
    }

    void show(ObjectKey volume, Marker marker, String namespace, String claim, long bytes) {
        Tags tags = Tags.of(
                "namespace", namespace, "claim", claim, "volume", volume.name(), "class", marker.storageClass());
        volumes.put(volume, new Usage(tags, bytes, marker.bytes()));
        publish();
    }

    void show(Path root, Space space) {
        fileSystems.put(root, space);
    }

    void forget(ObjectKey volume) {
        if (volumes.remove(volume) != null) {
            publish();
        }
    }

    private synchronized void publish() {
        used.register(rows(Usage::usedBytes), true);
        requested.register(rows(Usage::requestedBytes), true);
    }

    private List<Row<?>> rows(ToLongFunction<Usage> value) {
        return volumes.values().stream()
                .<Row<?>>map(usage -> Row.of(usage.tags(), value.applyAsLong(usage)))
                .toList();
    }

    private Space space(Root root) {
        return fileSystems.getOrDefault(root.path(), new Space(0, 0));
    }

    private static void disk(
            MeterRegistry meters, String what, Root root, String description, ToDoubleFunction<Root> value) {
        Gauge.builder("bucketwright.root." + what, root, value)
                .baseUnit("bytes")
                .tag("root", root.path().toString())
                .description(description)
                .register(meters);
    }
}
