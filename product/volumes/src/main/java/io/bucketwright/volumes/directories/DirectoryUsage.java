package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.PeriodicTask;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.metrics.KeyedGauges;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.queue.WorkQueue;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.Measurement;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Measures the disk usage of volumes periodically, one at a time. */
record DirectoryUsage(
        Roots roots,
        ObjectCache<PersistentVolume> volumes,
        KeyedGauges<ObjectKey> gauges,
        WorkQueue<ObjectKey> queue,
        Map<ObjectKey, Measurement> unfinished)
        implements PeriodicTask<ObjectKey> {

    private static final KeyedGauges.Kind USED =
            new KeyedGauges.Kind("bucketwright.directory.used", "bytes", "Disk space of the volume's directory");
    private static final KeyedGauges.Kind REQUESTED =
            new KeyedGauges.Kind("bucketwright.directory.requested", "bytes", "Size that the volume's claim requested");

    /**
     * Registers the measuring of volumes; call this before the caches start. Add volumes to the returned
     * controller when their root is opened or their marker changes.
     */
    static Controller<ObjectKey> register(
            ControllerContext context, Roots roots, ObjectCache<PersistentVolume> volumes, Duration interval) {
        WorkQueue<ObjectKey> queue = context.queue("core-pv-usage");
        DirectoryUsage usage = new DirectoryUsage(
                roots, volumes, new KeyedGauges<>(context.meters()), queue, new ConcurrentHashMap<>());
        return context.periodic(queue, interval, usage).watch(volumes, Function.identity());
    }

    @Override
    public boolean applies(ObjectKey key) {
        Optional<PersistentVolume> volume = volume(key);
        if (volume.isPresent() && volume.flatMap(this::rootOf).isEmpty()) {
            // The root that contains the volume is unknown until all roots are open.
            roots.all().forEach(root -> root.awaitOpen(queue.adding(key)));
            return false;
        }
        return volume.isPresent();
    }

    @Override
    public Result run(ObjectKey key) throws InterruptedException {
        Optional<PersistentVolume> volume = volume(key);
        Optional<Root> root = volume.flatMap(this::rootOf);
        if (volume.isEmpty() || root.isEmpty()) {
            return Result.done();
        }
        Outcome outcome = root.get()
                .runLong(queue.adding(key), directories -> measure(key, volume.get(), root.get(), directories), e -> {
                    unfinished.remove(key);
                    return Outcome.finish(Result.retry("The volume could not be measured. " + e.getMessage()));
                });
        return outcome instanceof Outcome.Finish(Result result) ? result : Result.done();
    }

    /** Measures for one slice, so that a tree of any size delays other volumes only for a moment. */
    private Outcome measure(ObjectKey key, PersistentVolume volume, Root root, RootDirectories directories)
            throws IOException {
        Optional<Marker> marker = root.markers().byVolume(key.name());
        @Nullable ObjectReference claim = volume.getSpec().getClaimRef();
        if (marker.isEmpty() || claim == null) {
            unfinished.remove(key);
            return Outcome.progress();
        }
        Measurement measured =
                directories.measure(marker.get().name(), unfinished.getOrDefault(key, Measurement.START));
        if (!measured.complete()) {
            unfinished.put(key, measured);
            return Outcome.finish(Result.requeueAfter(Duration.ZERO));
        }
        unfinished.remove(key);
        gauges.set(
                key,
                Tags.of(
                        "namespace", String.valueOf(claim.getNamespace()),
                        "claim", String.valueOf(claim.getName()),
                        "volume", key.name(),
                        "class", marker.get().storageClass()),
                Map.of(USED, measured.bytes(), REQUESTED, marker.get().bytes()));
        return Outcome.progress();
    }

    @Override
    public void forget(ObjectKey key) {
        unfinished.remove(key);
        if (volume(key).isEmpty()) {
            // An existing volume may wait until its root is open.
            roots.forget(queue.adding(key));
        }
        gauges.remove(key);
    }

    private Optional<PersistentVolume> volume(ObjectKey key) {
        return volumes.get("", key.name()).filter(key::names);
    }

    /** The root whose marker index contains the volume. */
    private Optional<Root> rootOf(PersistentVolume volume) {
        String claimUid = Metadata.annotation(volume, DirectoryAnnotations.CLAIM_UID);
        return roots.all().stream()
                .filter(root -> root.markers()
                        .byVolume(volume.getMetadata().getName())
                        .filter(marker -> marker.claim().uid().equals(claimUid))
                        .filter(marker -> marker.state() != Marker.State.DELETING)
                        .isPresent())
                .findFirst();
    }
}
