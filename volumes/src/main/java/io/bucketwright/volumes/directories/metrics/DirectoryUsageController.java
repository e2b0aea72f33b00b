package io.bucketwright.volumes.directories.metrics;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.MarkerFile;
import io.bucketwright.volumes.directories.objects.DirectoryAnnotations;
import io.bucketwright.volumes.directories.roots.Root;
import io.bucketwright.volumes.directories.roots.RootCaller;
import io.bucketwright.volumes.directories.roots.RootOperation;
import io.bucketwright.volumes.directories.roots.Roots;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Measures the disk usage of volumes and roots periodically, one at a time. */
public final class DirectoryUsageController implements Reconciler<DirectoryUsageKey> {

    private final Roots roots;
    private final Duration interval;
    private final ObjectCache<PersistentVolume> volumes;
    private final DirectoryUsageGauges gauges;
    private final ControllerContext context;
    private final Consumer<DirectoryUsageKey> queue;
    private final RandomGenerator random;
    private final Map<DirectoryUsageKey, Instant> due = new ConcurrentHashMap<>();

    private DirectoryUsageController(
            ControllerContext context,
            Roots roots,
            ObjectCache<PersistentVolume> volumes,
            Duration interval,
            Consumer<DirectoryUsageKey> queue) {
        this.context = context;
        this.roots = roots;
        this.volumes = volumes;
        this.interval = interval;
        this.queue = queue;
        this.random = new Random();
        this.gauges = new DirectoryUsageGauges(context.meters(), roots.all());
    }

    /** Creates the controller; call this before the caches start. */
    public static Controller<DirectoryUsageKey> of(
            ControllerContext context, Roots roots, ObjectCache<PersistentVolume> volumes, Duration interval) {
        WorkQueue<DirectoryUsageKey> queue = new WorkQueue<>(
                "directory-usage", context.time(), Backoff.standard(), new Random(), context.meters());
        DirectoryUsageController usage =
                new DirectoryUsageController(context, roots, volumes, interval, queue::add);
        context.leadership()
                .onGained(() -> roots.all().forEach(root -> queue.add(new DirectoryUsageKey.FileSystem(root.path()))));
        return new Controller<>("directory-usage", usage, queue, context.leadership(), 1, context.meters())
                .watch(volumes, DirectoryUsageKey.Volume::new);
    }

    @Override
    public Result reconcile(DirectoryUsageKey key) throws InterruptedException {
        return switch (key) {
            case DirectoryUsageKey.FileSystem(Path path) -> {
                Root root = roots.at(path);
                yield root.awaitOpen(RootCaller.of(key, queue))
                        ? run(key, root, directories -> {
                            gauges.show(path, directories.space());
                            return Outcome.finish(Result.requeueAfter(interval));
                        })
                        : Result.done();
            }
            case DirectoryUsageKey.Volume(ObjectKey volume) -> volume(key, volume);
        };
    }

    private Result volume(DirectoryUsageKey key, ObjectKey name) throws InterruptedException {
        Optional<PersistentVolume> volume = volumes.get("", name.name()).filter(name::names);
        Optional<Root> root = volume.flatMap(this::rootOf);
        if (volume.isPresent() && root.isEmpty()) {
            // The root that contains the volume is unknown until all roots are open.
            roots.all().forEach(closed -> closed.awaitOpen(RootCaller.of(key, queue)));
        }
        if (volume.isEmpty() || root.isEmpty()) {
            due.remove(key);
            gauges.forget(name);
            return Result.done();
        }
        Instant now = context.time().now();
        Instant next = due.computeIfAbsent(key, _ -> now.plus(randomDelay()));
        if (now.isBefore(next)) {
            return Result.requeueAfter(Duration.between(now, next));
        }
        due.put(key, now.plus(interval));
        return run(key, root.get(), directories -> {
            DirectoryName directory = new DirectoryName(name.name());
            Optional<Marker> marker = marker(root.get(), directory);
            if (marker.isPresent() && volume.get().getSpec().getClaimRef() != null) {
                gauges.show(
                        name,
                        marker.get(),
                        String.valueOf(volume.get().getSpec().getClaimRef().getNamespace()),
                        String.valueOf(volume.get().getSpec().getClaimRef().getName()),
                        directories.measure(directory));
            }
            return Outcome.finish(Result.requeueAfter(interval));
        });
    }

    private Result run(DirectoryUsageKey key, Root root, RootOperation operation) throws InterruptedException {
        Outcome outcome = root.runLong(
                RootCaller.of(key, queue),
                operation,
                e -> Outcome.finish(Result.retry("Measuring failed. " + e.getMessage())));
        return outcome instanceof Outcome.Finish(Result result) ? result : Result.requeueAfter(interval);
    }

    /** The root whose marker index contains the volume. */
    private Optional<Root> rootOf(PersistentVolume volume) {
        String name = volume.getMetadata().getName();
        if (!DirectoryName.isValid(name)) {
            return Optional.empty();
        }
        String claimUid = DirectoryAnnotations.annotation(volume, DirectoryAnnotations.CLAIM_UID)
                .orElse("");
        return roots.all().stream()
                .filter(root -> marker(root, new DirectoryName(name))
                        .filter(marker -> marker.claim().uid().equals(claimUid))
                        .filter(marker -> marker.state() != Marker.State.DELETING)
                        .isPresent())
                .findFirst();
    }

    private static Optional<Marker> marker(Root root, DirectoryName name) {
        return root.marker(name)
                .flatMap(file ->
                        file instanceof MarkerFile.Valid(Marker marker) ? Optional.of(marker) : Optional.empty());
    }

    private Duration randomDelay() {
        return Duration.ofMillis(random.nextLong(interval.toMillis() + 1));
    }
}
