package io.bucketwright.volumes.directories.roots;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.RootDirectory;
import io.bucketwright.volumes.directories.files.RootIdentity;
import io.bucketwright.volumes.directories.objects.DirectoryAnnotations;
import io.bucketwright.volumes.directories.objects.DirectoryCaches;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens roots: when this process becomes the leader, because another process may have changed them before, and when a root
 * is unavailable. It then reconciles the claim of every marker once, so that work interrupted by a crash is completed.
 */
public final class RootController implements Reconciler<Path> {

    private static final Logger log = LoggerFactory.getLogger(RootController.class);

    private final DirectorySettings settings;
    private final Roots roots;
    private final DirectoryCaches caches;
    private final Consumer<ObjectKey> claims;
    private final Consumer<Path> queue;

    private RootController(
            DirectorySettings settings,
            Roots roots,
            DirectoryCaches caches,
            Consumer<ObjectKey> claims,
            Consumer<Path> queue) {
        this.settings = settings;
        this.roots = roots;
        this.caches = caches;
        this.claims = claims;
        this.queue = queue;
    }

    /**
     * Creates the controller.
     *
     * @param claims the queue of the claims controller
     */
    public static Controller<Path> of(
            ControllerContext context,
            DirectorySettings settings,
            Roots roots,
            DirectoryCaches caches,
            Consumer<ObjectKey> claims) {
        WorkQueue<Path> queue = new WorkQueue<>(
                "directory-roots",
                context.time(),
                new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30)),
                new Random(),
                context.meters());
        RootController reconciler = new RootController(settings, roots, caches, claims, queue::add);
        roots.all().forEach(root -> root.onUnavailable(queue::add));
        context.leadership()
                .onGained(() -> roots.all().forEach(root -> {
                    root.reset();
                    queue.add(root.path());
                }));
        return new Controller<>(
                "directory-roots",
                reconciler,
                queue,
                context.leadership(),
                roots.all().size(),
                context.meters());
    }

    @Override
    public Result reconcile(Path path) throws InterruptedException {
        Root root = roots.at(path);
        Outcome outcome = root.runOpening(
                RootCaller.of(path, queue),
                directory -> open(root, directory),
                e -> Outcome.finish(Result.retry("Root " + path + " cannot be used. " + e.getMessage())));
        return outcome instanceof Outcome.Finish(Result result) ? result : Result.done();
    }

    private Outcome open(Root root, RootDirectory directory) throws IOException {
        RootIdentity identity = identity(root.path(), directory);
        List<Marker> markers = root.opened(identity, directory.tree(identity));
        log.info("Opened root {}: id {}, {} markers", root.path(), identity.id(), markers.size());
        markers.stream()
                .map(Marker::claim)
                .forEach(claim -> claims.accept(new ObjectKey(claim.namespace(), claim.name(), claim.uid())));
        return Outcome.progress();
    }

    private RootIdentity identity(Path path, RootDirectory directory) throws IOException {
        Optional<RootIdentity> existing = directory.identity();
        if (existing.isPresent()) {
            return existing.get();
        }
        Optional<String> volume = caches.volumes.list().stream()
                .filter(candidate -> isIn(path, candidate))
                .map(candidate -> candidate.getMetadata().getName())
                .findFirst();
        if (volume.isPresent()) {
            throw new IOException("The root " + path + " has no identity file, but volume " + volume.get()
                    + " is in it: the root's disk is not mounted. Mount it");
        }
        directory.initialize(new RootIdentity(UUID.randomUUID().toString(), caches.clusterId()));
        return directory.identity().orElseThrow(() -> new IOException("The root's new identity file cannot be read"));
    }

    private boolean isIn(Path root, PersistentVolume volume) {
        return DirectoryAnnotations.isServed(volume, settings)
                && settings.rootOf(String.valueOf(volume.getSpec().getStorageClassName()))
                        .filter(root::equals)
                        .isPresent();
    }
}
