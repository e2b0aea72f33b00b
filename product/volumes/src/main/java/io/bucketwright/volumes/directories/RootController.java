package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.objects.DurationText;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.MarkerFile;
import io.bucketwright.volumes.directories.files.RootDirectory;
import io.bucketwright.volumes.directories.files.RootIdentity;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens roots: when this process becomes the leader, because another process may have changed them before, and when a root
 * is unavailable. It then reconciles the claim of every marker and all volumes of the root once, so that work interrupted by
 * a crash is completed, and decisions based on older markers are made again. While a root is open, it checks at every refresh
 * interval that the root still exists and which markers administrators changed.
 *
 * @param claims the queue of the claims controller
 * @param volumes the queues of the controllers of volumes
 */
record RootController(
        DirectorySettings settings,
        Roots roots,
        DirectoryCaches caches,
        Consumer<ObjectKey> claims,
        Consumer<ObjectKey> volumes,
        Duration refreshInterval,
        WorkQueue<Path> queue,
        Map<Path, Integer> failures,
        Random random)
        implements Reconciler<Path> {

    private static final Logger log = LoggerFactory.getLogger(RootController.class);

    /** A disk that is mounted again should be used soon, so the cap is lower than that of other controllers. */
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30));

    static void register(
            ControllerContext context,
            DirectorySettings settings,
            Roots roots,
            DirectoryCaches caches,
            Consumer<ObjectKey> claims,
            Consumer<ObjectKey> volumes,
            Duration refreshInterval) {
        WorkQueue<Path> queue = context.queue("directories-root-refresh");
        RootController reconciler = new RootController(
                settings,
                roots,
                caches,
                claims,
                volumes,
                refreshInterval,
                queue,
                new ConcurrentHashMap<>(),
                new Random());
        Controller<Path> controller =
                context.controller(queue, reconciler).workers(roots.all().size());
        roots.all().forEach(root -> root.onUnavailable(controller::add));
        context.leadership()
                .onGained(() -> roots.all().forEach(root -> {
                    root.reset();
                    controller.add(root.path());
                }));
    }

    @Override
    public Result reconcile(Path path) throws InterruptedException {
        Root root = roots.at(path);
        Outcome outcome = root.state() instanceof RootState.Open
                ? root.runLong(
                        queue.adding(path),
                        directories -> refresh(root, directories),
                        e -> Outcome.finish(retry(path, e)))
                : root.open(
                        queue.adding(path),
                        directory -> identity(path, directory),
                        caches::clusterId,
                        identity -> opened(root, identity),
                        e -> Outcome.finish(retry(path, e)));
        return outcome instanceof Outcome.Finish(Result result) ? result : Result.requeueAfter(refreshInterval);
    }

    private Result retry(Path path, IOException e) {
        Duration delay = BACKOFF.delay(failures.merge(path, 1, Integer::sum), random);
        log.warn("Root {} cannot be used, retrying in {}. {}", path, DurationText.of(delay), e.getMessage());
        return Result.requeueAfter(delay);
    }

    /** Directories that are created on the wrong disk are lost when the right one is mounted. */
    private Optional<RootIdentity> identity(Path path, RootDirectory directory) throws IOException {
        // Before the mount point: a disk that is unmounted in between is not mistaken for a new root.
        Optional<RootIdentity> identity = directory.identity();
        if (isMountPointRequired(path)) {
            directory.requireMountPoint();
        }
        Optional<PersistentVolume> volumeOfOtherRoot = caches.volumes.list().stream()
                .filter(volume -> isIn(path, volume))
                .filter(volume -> identity.isEmpty()
                        || !rootOf(volume).equals(identity.get().id()))
                .findFirst();
        if (volumeOfOtherRoot.isPresent()) {
            PersistentVolume volume = volumeOfOtherRoot.get();
            throw new IOException("The root " + path
                    + identity.map(found -> " has the id " + found.id()).orElse(" has no identity file")
                    + ", but volume " + volume.getMetadata().getName() + " was created in the root with the id "
                    + rootOf(volume) + ": "
                    + (directory.isMountPoint() ? "another disk is mounted there" : "its disk is not mounted")
                    + ". Mount the disk of that root. If it is lost, give up its volumes"
                    + " with: bucketwright directory abandon --root-id " + rootOf(volume));
        }
        return identity;
    }

    private void opened(Root root, RootIdentity identity) {
        List<Marker> markers = root.markers().all();
        failures.remove(root.path());
        log.info("Opened root {}: id {}, {} markers", root.path(), identity.id(), markers.size());
        markers.stream().map(Marker::claim).map(DirectoryCaches::key).forEach(claims);
        caches.volumes.list().stream()
                .filter(volume -> isIn(root.path(), volume))
                .forEach(this::reconcileVolume);
    }

    private Outcome refresh(Root root, RootDirectories directories) throws IOException {
        if (isMountPointRequired(root.path())) {
            directories.requireMountPoint();
        }
        List<DirectoryName> changed = root.refresh(directories);
        changed.forEach(name -> {
            log.info("The marker of directory {} in root {} was changed by another program", name, root.path());
            root.markers()
                    .byName(name)
                    .flatMap(MarkerFile::valid)
                    .map(marker -> DirectoryCaches.key(marker.claim()))
                    .ifPresent(claims);
            caches.claimsNamed(name).forEach(claims);
            caches.volumes.get("", name.text()).ifPresent(this::reconcileVolume);
        });
        failures.remove(root.path());
        return Outcome.progress();
    }

    /** Also the claim that the volume is bound to: it may be another one than the marker's. */
    private void reconcileVolume(PersistentVolume volume) {
        volumes.accept(ObjectKey.of(volume));
        caches.claimsOf(volume).forEach(claims);
    }

    private static String rootOf(PersistentVolume volume) {
        return Metadata.annotation(volume, DirectoryAnnotations.ROOT);
    }

    private boolean isIn(Path root, PersistentVolume volume) {
        return DirectoryAnnotations.isServed(volume, settings)
                && DirectoryAnnotations.isInServedNamespace(volume, settings)
                && !DirectoryAnnotations.isAbandoned(volume)
                && isRootOf(String.valueOf(volume.getSpec().getStorageClassName()), root);
    }

    private boolean isMountPointRequired(Path root) {
        return caches.classes.list().stream()
                .filter(candidate ->
                        settings.servesClass(candidate.getMetadata().getName(), candidate.getProvisioner())
                                && isRootOf(candidate.getMetadata().getName(), root))
                .anyMatch(candidate -> DirectoryClass.requiresMountPoint(candidate, settings));
    }

    private boolean isRootOf(String storageClass, Path root) {
        return settings.rootOf(storageClass).filter(root::equals).isPresent();
    }
}
