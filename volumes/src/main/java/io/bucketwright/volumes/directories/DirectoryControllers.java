package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.deletion.DirectoryRemovalController;
import io.bucketwright.volumes.directories.metrics.DirectoryMetrics;
import io.bucketwright.volumes.directories.metrics.DirectoryUsage;
import io.bucketwright.volumes.directories.objects.DirectoryCaches;
import io.bucketwright.volumes.directories.objects.DirectoryVolumes;
import io.bucketwright.volumes.directories.provisioning.DirectoryClaimController;
import io.bucketwright.volumes.directories.roots.RootController;
import io.bucketwright.volumes.directories.roots.Roots;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Duration;
import java.util.function.Supplier;

/** Registers the controllers of the provisioner. */
final class DirectoryControllers {

    private final ControllerContext context;
    private final DirectorySettings settings;
    private final Roots roots;

    DirectoryControllers(ControllerContext context, DirectorySettings settings, Roots roots) {
        this.context = context;
        this.settings = settings;
        this.roots = roots;
    }

    void register(int workers, Duration usageInterval) {
        DirectoryCaches caches = new DirectoryCaches(context.caches(), settings);
        DirectoryMetrics metrics = new DirectoryMetrics(context.meters());
        Controller<ObjectKey> claims =
                DirectoryClaimController.register(context, settings, caches, roots, metrics, hostname());
        claims.workers(workers);
        DirectoryRemovalController.register(context, settings, caches, roots, metrics)
                .workers(workers);
        RootController.register(context, settings, roots, caches, claims::add);
        if (usageInterval.isPositive()) {
            DirectoryUsage.register(context, roots, caches.volumes, usageInterval);
        }
    }

    /** The hostname label of the node, which may differ from the node's name. */
    private Supplier<String> hostname() {
        String name = settings.node();
        if (name.isEmpty()) {
            return () -> "";
        }
        ObjectCache<Node> nodes =
                context.caches().of(Node.class, Scope.everything().named(name));
        return () -> nodes.get("", name)
                .map(node -> Metadata.label(node, DirectoryVolumes.HOSTNAME))
                .filter(label -> !label.isEmpty())
                .orElse(name);
    }
}
