package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.bucketwright.volumes.directories.claims.ClaimCaches;
import io.bucketwright.volumes.directories.claims.ClaimController;
import io.bucketwright.volumes.directories.released.VolumeController;
import io.bucketwright.volumes.directories.roots.RootController;
import io.bucketwright.volumes.directories.roots.Roots;
import io.bucketwright.volumes.directories.setup.ClassLookup;
import io.bucketwright.volumes.directories.setup.DirectoryMetrics;
import io.bucketwright.volumes.directories.setup.Settings;
import io.bucketwright.volumes.directories.setup.Words;
import io.bucketwright.volumes.directories.usage.UsageController;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/** The controllers of the provisioner, wired. */
final class DirectoryControllers {

    private final ControllerContext parts;
    private final Settings settings;
    private final Roots roots;
    private final int workers;
    private final Duration usageEvery;
    private final ClaimCaches caches;

    DirectoryControllers(ControllerContext parts, Settings settings, Roots roots, int workers, Duration usageEvery) {
        this.parts = parts;
        this.settings = settings;
        this.roots = roots;
        this.workers = workers;
        this.usageEvery = usageEvery;
        this.caches = new ClaimCaches(parts.caches(), settings);
    }

    List<Controller<?>> all() {
        ClassLookup classes = new ClassLookup(caches.classes, settings);
        DirectoryMetrics metrics = new DirectoryMetrics(parts.meters());
        WorkQueue<ObjectKey> claims = queue("directory-claims");
        WorkQueue<ObjectKey> volumes = queue("directory-volumes");
        List<Controller<?>> all = new ArrayList<>();
        all.add(ClaimController.of(parts, settings, caches, classes, roots, metrics, hostname(), claims, workers));
        all.add(VolumeController.of(parts, settings, caches, roots, metrics, volumes, workers));
        all.add(RootController.of(parts, settings, roots, caches.volumes, claims::add));
        if (usageEvery.isPositive()) {
            all.add(UsageController.of(parts, roots, caches.volumes, usageEvery));
        }
        return all;
    }

    /** The uid of kube-system stands for the cluster; it is watched like everything else, so it costs no read. */
    Supplier<String> clusterId() {
        return () -> caches.namespaces
                .get("", "kube-system")
                .map(namespace -> namespace.getMetadata().getUid())
                .orElseThrow(() -> new IllegalStateException("The namespace kube-system cannot be seen, and its uid"
                        + " is the cluster's id: allow the service account to list and watch namespaces"));
    }

    private WorkQueue<ObjectKey> queue(String name) {
        return new WorkQueue<>(name, parts.time(), Backoff.standard(), new Random(), parts.meters());
    }

    /** A node's label may differ from its name, and the affinity of volumes goes by the label. */
    private Supplier<String> hostname() {
        String node = settings.node();
        if (node.isEmpty()) {
            return () -> "";
        }
        ObjectCache<Node> nodes = parts.caches().of(Node.class, Scope.everything().named(node));
        return () -> nodes.get("", node)
                .flatMap(it -> Optional.ofNullable(it.getMetadata().getLabels()))
                .flatMap(labels -> Optional.ofNullable(labels.get(Words.HOSTNAME)))
                .orElse(node);
    }
}
