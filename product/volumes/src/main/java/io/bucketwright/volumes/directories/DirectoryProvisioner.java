package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.files.RootDirectory;
import io.fabric8.kubernetes.api.model.Node;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Provisions directories as PersistentVolumes.
 *
 * {@snippet :
 * try (ControllerProcess process = DirectoryProvisioner.builder()
 *         .classes("shared")
 *         .root(Path.of("/srv/volumes"))
 *         .build()) {
 *     process.run();
 * }
 * }
 */
public final class DirectoryProvisioner {

    private DirectoryProvisioner() {}

    public static Builder builder() {
        return new Builder();
    }

    /** Options of the provisioner. Required are a root, and a provisioner name or class names. */
    public static final class Builder extends ControllerProcessBuilder<Builder> {

        private final Set<String> classes = new LinkedHashSet<>();
        private final Map<String, Path> roots = new HashMap<>();
        private @Nullable Path root;
        private String provisioner = "";
        private String namespace = "";
        private String node = "";
        private Duration usageInterval = Duration.ZERO;
        private Duration refreshInterval = Duration.ofSeconds(30);
        private Function<Path, RootDirectory> rootDirectories = RootDirectory::new;

        private Builder() {
            super("bucketwright.io/directories");
            workers(16);
        }

        /** Serves only classes with this provisioner name; by default, any name. */
        public Builder provisioner(String name) {
            provisioner = name;
            return this;
        }

        /** Serves only these classes; by default, all classes with the provisioner's name. */
        public Builder classes(String... names) {
            classes.addAll(Arrays.asList(names));
            return this;
        }

        /** The root in which directories are created. */
        public Builder root(Path path) {
            root = path;
            return this;
        }

        /** The root of one class. */
        public Builder root(String storageClass, Path path) {
            roots.put(storageClass, path);
            return this;
        }

        /** Serves only claims in this namespace; by default, in all. */
        public Builder namespace(String value) {
            namespace = value;
            return this;
        }

        /** Serves only local volumes, on this node's disk; by default, only shared volumes. */
        public Builder node(String value) {
            node = value;
            return this;
        }

        /** The interval at which the disk usage of volumes is measured; by default, neither it nor the space of roots is reported. */
        public Builder usageInterval(Duration value) {
            usageInterval = value;
            return this;
        }

        /** The interval at which roots are checked and markers that administrators changed are read. */
        Builder refreshInterval(Duration value) {
            refreshInterval = value;
            return this;
        }

        /** Replaces the access to disks, for tests that inject failures. */
        Builder rootDirectories(Function<Path, RootDirectory> value) {
            rootDirectories = value;
            return this;
        }

        @Override
        protected void register(ControllerContext context, ControllerProcess process) {
            DirectorySettings settings = new DirectorySettings(classes, provisioner, root, roots, namespace, node);
            Roots opened = new Roots(settings.allRoots(), rootDirectories, context.leadership(), context.time());
            process.onClose(opened::close);
            DirectoryCaches caches = new DirectoryCaches(context.caches(), settings);
            DirectoryMetrics metrics = new DirectoryMetrics(context.meters());
            metrics.roots(opened, usageInterval.isPositive());
            Controller<ObjectKey> claims = DirectoryClaimController.register(
                            context, settings, caches, opened, metrics, hostname(context))
                    .workers(workers());
            Controller<ObjectKey> volumes = DirectoryRemovalController.register(
                            context, settings, caches, opened, metrics)
                    .workers(workers());
            Consumer<ObjectKey> usage = usageInterval.isPositive()
                    ? DirectoryUsage.register(context, opened, caches.volumes, usageInterval)::add
                    : _ -> {};
            Consumer<ObjectKey> changed = usage.andThen(volumes::add);
            RootController.register(context, settings, opened, caches, claims::add, changed, refreshInterval);
            process.server().ready("roots", new RootHealth(opened, context.leadership(), context.time()));
        }

        /** The hostname label of the node, which may differ from the node's name. */
        private Supplier<String> hostname(ControllerContext context) {
            String name = node;
            if (name.isEmpty()) {
                return () -> "";
            }
            ObjectCache<Node> nodes =
                    context.caches().unlimited(Node.class, Scope.everything().named(name));
            return () -> nodes.get("", name)
                    .map(found -> Metadata.label(found, DirectoryVolumes.HOSTNAME))
                    .filter(label -> !label.isEmpty())
                    .orElse(name);
        }
    }
}
