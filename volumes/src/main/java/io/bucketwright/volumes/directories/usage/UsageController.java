package io.bucketwright.volumes.directories.usage;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.bucketwright.volumes.directories.files.AssetName;
import io.bucketwright.volumes.directories.files.DirectoryTree.Found;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.roots.Root;
import io.bucketwright.volumes.directories.roots.Roots;
import io.bucketwright.volumes.directories.setup.Words;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Measures volumes and roots, one at a time. */
public final class UsageController implements Reconciler<UsageKey> {

    /** A tree that takes longer to look at is known to hold at least what was seen. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Roots roots;
    private final Duration every;
    private final ObjectCache<PersistentVolume> volumes;
    private final UsageGauges gauges;
    private final ControllerContext parts;
    private final Consumer<UsageKey> wake;
    private final RandomGenerator random;
    private final Map<UsageKey, Instant> due = new ConcurrentHashMap<>();

    private UsageController(
            ControllerContext parts, Roots roots, ObjectCache<PersistentVolume> volumes, Duration every, Consumer<UsageKey> wake) {
        this.parts = parts;
        this.roots = roots;
        this.volumes = volumes;
        this.every = every;
        this.wake = wake;
        this.random = new Random();
        this.gauges = new UsageGauges(parts.meters(), roots.all());
    }

    /** The controller, ready to be given to an engine; call it before the caches start. */
    public static Controller<UsageKey> of(ControllerContext parts, Roots roots, ObjectCache<PersistentVolume> volumes, Duration every) {
        WorkQueue<UsageKey> queue =
                new WorkQueue<>("directory-usage", parts.time(), Backoff.standard(), new Random(), parts.meters());
        UsageController usage = new UsageController(parts, roots, volumes, every, queue::add);
        parts.leadership().onGained(() -> roots.all().forEach(root -> queue.add(new UsageKey.Disk(root.path()))));
        return new Controller<>("directory-usage", usage, queue, parts.leadership(), 1, parts.meters())
                .watch(volumes, UsageKey.Volume::new);
    }

    @Override
    public Result reconcile(UsageKey key) throws InterruptedException {
        return switch (key) {
            case UsageKey.Disk(Path path) -> {
                Root root = roots.at(path);
                yield root.await(key, () -> wake.accept(key)) ? disk(key, root) : Result.done();
            }
            case UsageKey.Volume(ObjectKey volume) -> volume(key, volume);
        };
    }

    private Result disk(UsageKey key, Root root) throws InterruptedException {
        return act(key, root, () -> gauges.show(root.path(), root.tree().space()));
    }

    private Result volume(UsageKey key, ObjectKey name) throws InterruptedException {
        Optional<PersistentVolume> volume = volumes.get("", name.name()).filter(name::names);
        Optional<Root> root = volume.flatMap(this::rootOf);
        if (volume.isPresent() && root.isEmpty()) {
            // Whose it is shows once all ledgers are read.
            roots.all().forEach(it -> it.await(key, () -> wake.accept(key)));
        }
        if (volume.isEmpty() || root.isEmpty()) {
            due.remove(key);
            gauges.forget(name);
            return Result.done();
        }
        Instant now = parts.time().now();
        Instant next = due.computeIfAbsent(key, _ -> now.plus(spread()));
        if (now.isBefore(next)) {
            return Result.requeueAfter(Duration.between(now, next));
        }
        due.put(key, now.plus(every));
        return act(key, root.get(), () -> measure(name, volume.get(), root.get()));
    }

    private void measure(ObjectKey name, PersistentVolume volume, Root root) throws IOException {
        AssetName asset = new AssetName(name.name());
        Optional<Marker> marker = marker(root, asset);
        if (marker.isPresent() && volume.getSpec().getClaimRef() != null) {
            gauges.show(
                    name,
                    marker.get(),
                    String.valueOf(volume.getSpec().getClaimRef().getNamespace()),
                    String.valueOf(volume.getSpec().getClaimRef().getName()),
                    root.tree().measure(asset, look()).bytes());
        }
    }

    private interface Look {
        void take() throws IOException;
    }

    private Result act(UsageKey key, Root root, Look look) throws InterruptedException {
        Outcome outcome = root.actLong(key, () -> wake.accept(key), () -> {
            try {
                look.take();
                return Outcome.finish(Result.requeueAfter(every));
            } catch (IOException e) {
                roots.failed(root, e);
                return Outcome.finish(Result.retry("How much is held is not known. " + e.getMessage()));
            }
        });
        return outcome instanceof Outcome.Finish(Result result) ? result : Result.requeueAfter(every);
    }

    /** The root whose ledger knows a bound or released volume of ours. */
    private Optional<Root> rootOf(PersistentVolume volume) {
        String name = volume.getMetadata().getName();
        if (!AssetName.fits(name)) {
            return Optional.empty();
        }
        return roots.all().stream()
                .filter(root -> marker(root, new AssetName(name))
                        .filter(marker -> marker.claim()
                                .uid()
                                .equals(Words.annotation(volume, Words.CLAIM_UID)
                                        .orElse("")))
                        .filter(marker -> marker.state() != Marker.State.LEAVING)
                        .isPresent())
                .findFirst();
    }

    private static Optional<Marker> marker(Root root, AssetName name) {
        return root.named(name)
                .flatMap(found -> found instanceof Found.Known(Marker marker) ? Optional.of(marker) : Optional.empty());
    }

    private BooleanSupplier look() {
        long end = parts.time().nanos() + LOOK.toNanos();
        return () -> parts.time().nanos() - end < 0;
    }

    private Duration spread() {
        return Duration.ofMillis(random.nextLong(every.toMillis() + 1));
    }
}
