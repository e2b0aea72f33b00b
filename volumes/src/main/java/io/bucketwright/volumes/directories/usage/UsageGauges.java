package io.bucketwright.volumes.directories.usage;

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

/** What was measured, as metrics. */
final class UsageGauges {

    private record Known(Tags tags, long bytes, long promised) {}

    private final Map<ObjectKey, Known> volumes = new ConcurrentHashMap<>();
    private final Map<Path, Space> disks = new ConcurrentHashMap<>();
    private final MultiGauge used;
    private final MultiGauge promised;

    UsageGauges(MeterRegistry meters, Iterable<Root> roots) {
        used = MultiGauge.builder("bucketwright.directory.used")
                .baseUnit("bytes")
                .description("What the volume's directory takes up, at least")
                .register(meters);
        promised = MultiGauge.builder("bucketwright.directory.promised")
                .baseUnit("bytes")
                .description("What the volume's claim asked for")
                .register(meters);
        for (Root root : roots) {
            disk(
                    meters,
                    "free",
                    root,
                    "Room on the root's file system",
                    it -> space(root).free());
            disk(
                    meters,
                    "total",
                    root,
                    "Size of the root's file system",
                    it -> space(root).total());
            disk(meters, "promised", root, "What all claims below the root asked for", Root::promised);
            Gauge.builder("bucketwright.root.open", root, it -> it.state() instanceof RootState.Open ? 1 : 0)
                    .tag("root", root.path().toString())
                    .description("1 while the root is there and this process leads it")
                    .register(meters);
        }
    }

    void show(ObjectKey volume, Marker marker, String namespace, String claim, long bytes) {
        Tags tags = Tags.of(
                "namespace", namespace, "claim", claim, "volume", volume.name(), "class", marker.storageClass());
        volumes.put(volume, new Known(tags, bytes, marker.bytes()));
        publish();
    }

    void show(Path root, Space space) {
        disks.put(root, space);
    }

    void forget(ObjectKey volume) {
        if (volumes.remove(volume) != null) {
            publish();
        }
    }

    private synchronized void publish() {
        used.register(rows(Known::bytes), true);
        promised.register(rows(Known::promised), true);
    }

    private List<Row<?>> rows(ToLongFunction<Known> value) {
        return volumes.values().stream()
                .<Row<?>>map(known -> Row.of(known.tags(), value.applyAsLong(known)))
                .toList();
    }

    private Space space(Root root) {
        return disks.getOrDefault(root.path(), new Space(0, 0));
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
