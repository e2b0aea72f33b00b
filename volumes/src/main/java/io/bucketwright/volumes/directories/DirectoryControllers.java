package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.deletion.DirectoryRemovalController;
import io.bucketwright.volumes.directories.metrics.DirectoryMetrics;
import io.bucketwright.volumes.directories.metrics.DirectoryUsageController;
import io.bucketwright.volumes.directories.objects.DirectoryCaches;
import io.bucketwright.volumes.directories.objects.DirectoryVolumes;
import io.bucketwright.volumes.directories.provisioning.DirectoryClaimController;
import io.bucketwright.volumes.directories.roots.RootController;
import io.bucketwright.volumes.directories.roots.Roots;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/** Creates the controllers of the provisioner. */
final class DirectoryControllers {

    private final ControllerContext context;
    private final DirectorySettings settings;
    private final Roots roots;

    DirectoryControllers(ControllerContext context, DirectorySettings settings, Roots roots) {
        this.context = context;
        this.settings = settings;
        this.roots = roots;
    }

    List<Controller<?>> create(int workers, Duration usageInterval) {
        DirectoryCaches caches = new DirectoryCaches(context.caches(), settings);
        DirectoryMetrics metrics = new DirectoryMetrics(context.meters());
        WorkQueue<ObjectKey> claims = queue("directory-claims");
        WorkQueue<ObjectKey> volumes = queue("directory-volumes");
        List<Controller<?>> all = new ArrayList<>();
        all.add(DirectoryClaimController.of(context, settings, caches, roots, metrics, hostname(), claims, workers));
        all.add(DirectoryRemovalController.of(context, settings, caches, roots, metrics, volumes, workers));
        all.add(RootController.of(context, settings, roots, caches, claims::add));
        if (usageInterval.isPositive()) {
            all.add(DirectoryUsageController.of(context, roots, caches.volumes, usageInterval));
        }
        return all;
    }

    private WorkQueue<ObjectKey> queue(String name) {
        return new WorkQueue<>(name, context.time(), Backoff.standard(), new Random(), context.meters());
    }

    /** The hostname label of the node, which may differ from the node's name. */
    private Supplier<String> hostname() {
        String name = settings.node();
        if (name.isEmpty()) {
            return () -> "";
        }
        ObjectCache<Node> nodes = context.caches().of(Node.class, Scope.everything().named(name));
        return () -> nodes.get("", name)
                .flatMap(node -> Optional.ofNullable(node.getMetadata().getLabels()))
                .flatMap(labels -> Optional.ofNullable(labels.get(DirectoryVolumes.HOSTNAME)))
                .orElse(name);
    }
}
