package io.bucketwright.volumes.directories.roots;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.queue.Backoff;
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
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens roots: when this process becomes the leader, because another process may have changed them before, and when a root
 * is unavailable. It then reconciles the claim of every marker once, so that work interrupted by a crash is completed.
 */
public record RootController(
        DirectorySettings settings,
        Roots roots,
        DirectoryCaches caches,
        Consumer<ObjectKey> claims,
        RequeueTarget<Path> requeue,
        Map<Path, Integer> failures,
        Random random)
        implements Reconciler<Path> {

    private static final Logger log = LoggerFactory.getLogger(RootController.class);

    /** A disk that is mounted again should be used soon, so the cap is lower than that of other controllers. */
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30));

    /**
     * Registers the controller.
     *
     * @param claims the queue of the claims controller
     */
    public static void register(
            ControllerContext context,
            DirectorySettings settings,
            Roots roots,
            DirectoryCaches caches,
            Consumer<ObjectKey> claims) {
        RootController reconciler = new RootController(
                settings, roots, caches, claims, new RequeueTarget<>(), new ConcurrentHashMap<>(), new Random());
        Controller<Path> controller = reconciler
                .requeue
                .connect(context.controller("directory-roots", reconciler))
                .workers(roots.all().size());
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
        Outcome outcome = root.runOpening(
                requeue.caller(path), directory -> open(root, directory), e -> Outcome.finish(retry(path, e)));
        return outcome instanceof Outcome.Finish(Result result) ? result : Result.done();
    }

    private Result retry(Path path, IOException e) {
        Duration delay = BACKOFF.delay(failures.merge(path, 1, Integer::sum), random);
        log.warn("Root {} cannot be used, retrying in {}. {}", path, delay, e.getMessage());
        return Result.requeueAfter(delay);
    }

    private Outcome open(Root root, RootDirectory directory) throws IOException {
        RootIdentity identity = identity(root.path(), directory);
        List<Marker> markers = root.opened(identity, directory.tree(identity));
        failures.remove(root.path());
        log.info("Opened root {}: id {}, {} markers", root.path(), identity.id(), markers.size());
        markers.stream().map(Marker::claim).map(DirectoryCaches::key).forEach(claims);
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
