package io.bucketwright.volumes.directories.roots;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.bucketwright.volumes.directories.files.DirectoryTree;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.RootIdentity;
import io.bucketwright.volumes.directories.setup.Settings;
import io.bucketwright.volumes.directories.setup.Words;
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
 * Opens roots: each time this process begins to lead, because another one may have led meanwhile, and each time one was
 * lost. Whatever the markers tell of is then looked at once, so that nothing a crash left is forgotten.
 */
public final class RootController implements Reconciler<Path> {

    private static final Logger log = LoggerFactory.getLogger(RootController.class);

    private final ControllerContext parts;
    private final Settings settings;
    private final Roots roots;
    private final ObjectCache<PersistentVolume> volumes;
    private final Consumer<ObjectKey> claims;
    private final Consumer<Path> wake;

    private RootController(
            ControllerContext parts,
            Settings settings,
            Roots roots,
            ObjectCache<PersistentVolume> volumes,
            Consumer<ObjectKey> claims,
            Consumer<Path> wake) {
        this.parts = parts;
        this.settings = settings;
        this.roots = roots;
        this.volumes = volumes;
        this.claims = claims;
        this.wake = wake;
    }

    /**
     * The controller, ready to be given to an engine.
     *
     * @param claims takes the keys of claims that markers tell of
     */
    public static Controller<Path> of(
            ControllerContext parts, Settings settings, Roots roots, ObjectCache<PersistentVolume> volumes, Consumer<ObjectKey> claims) {
        WorkQueue<Path> queue = new WorkQueue<>(
                "directory-roots",
                parts.time(),
                new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30)),
                new Random(),
                parts.meters());
        RootController reconciler = new RootController(parts, settings, roots, volumes, claims, queue::add);
        roots.onLoss(queue::add);
        parts.leadership()
                .onGained(() -> roots.all().forEach(root -> {
                    root.forget();
                    queue.add(root.path());
                }));
        return new Controller<>(
                "directory-roots",
                reconciler,
                queue,
                parts.leadership(),
                roots.all().size(),
                parts.meters());
    }

    @Override
    public Result reconcile(Path path) throws InterruptedException {
        Root root = roots.at(path);
        Outcome outcome = root.actLong(path, () -> wake.accept(path), () -> open(root));
        return outcome instanceof Outcome.Finish(Result result) ? result : Result.done();
    }

    private Outcome open(Root root) {
        try {
            parts.leadership().require();
            RootIdentity identity = identity(root);
            DirectoryTree tree = root.folder().tree(identity);
            root.opened(identity, tree, tree.markers());
            List<Marker> markers = root.markers();
            log.info("Root {} is open: {}, with {} markers", root.path(), identity.id(), markers.size());
            markers.forEach(marker -> claims.accept(new ObjectKey(
                    marker.claim().namespace(),
                    marker.claim().name(),
                    marker.claim().uid())));
            return Outcome.progress();
        } catch (IOException e) {
            root.closed(String.valueOf(e.getMessage()));
            return Outcome.finish(Result.retry("Root " + root.path() + " cannot be used: " + e.getMessage()));
        }
    }

    private RootIdentity identity(Root root) throws IOException {
        Optional<RootIdentity> known = root.folder().identity();
        if (known.isPresent()) {
            return known.get();
        }
        Optional<String> volume = volumes.list().stream()
                .filter(it -> isIn(root, it))
                .map(it -> it.getMetadata().getName())
                .findFirst();
        if (volume.isPresent()) {
            throw new IOException("The root " + root.path() + " has no identity, although there are volumes in it, "
                    + volume.get() + " among them: its disk is not mounted. Mount it");
        }
        RootIdentity fresh = new RootIdentity(
                UUID.randomUUID().toString(), settings.clusterId().get());
        root.folder().initialize(fresh);
        return root.folder().identity().orElseThrow(() -> new IOException("The root's new identity cannot be read"));
    }

    private boolean isIn(Root root, PersistentVolume volume) {
        String name = String.valueOf(volume.getSpec().getStorageClassName());
        return Words.annotation(volume, Words.ROOT).isPresent()
                && Words.annotation(volume, Words.PROVISIONED_BY)
                        .filter(by -> settings.servesClass(name, by))
                        .isPresent()
                && settings.rootOf(name).filter(root.path()::equals).isPresent()
                && Words.annotation(volume, Words.NODE).orElse("").equals(settings.node());
    }
}
