package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.engine.ControllerBuilder;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.volumes.directories.files.PosixRootDirectory;
import io.bucketwright.volumes.directories.files.RootDirectory;
import io.bucketwright.volumes.directories.roots.Roots;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A process that provisions directories as PersistentVolumes.
 *
 * {@snippet :
 * try (DirectoryProvisioner provisioner = DirectoryProvisioner.builder()
 *         .classes("shared")
 *         .root(Path.of("/srv/volumes"))
 *         .build()) {
 *     provisioner.run();
 * }
 * }
 */
public final class DirectoryProvisioner implements AutoCloseable {

    private final ControllerProcess process;

    private DirectoryProvisioner(ControllerProcess process) {
        this.process = process;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Starts and returns immediately. If the API server is not reachable, the process keeps trying. */
    public DirectoryProvisioner start() {
        process.start();
        return this;
    }

    /** Waits until the caches are synced and the controllers run, or would run if this process were the leader. */
    public void awaitWorking() throws InterruptedException {
        process.awaitWorking();
    }

    /** Starts, and returns when another thread closes the process. */
    public void run() throws InterruptedException {
        process.start();
        process.awaitClosed();
    }

    /** The port of the health and metrics endpoints. */
    public int port() {
        return process.port();
    }

    /** Completes in-flight work and releases the lease. */
    @Override
    public void close() {
        process.close();
    }

    /** Options of the provisioner. Required are a root, and a provisioner name or class names. */
    public static final class Builder extends ControllerBuilder<Builder> {

        private final Set<String> classes = new LinkedHashSet<>();
        private final Map<String, Path> roots = new HashMap<>();
        private @Nullable Path root;
        private String provisioner = "";
        private String namespace = "";
        private String node = "";
        private int workers = 16;
        private Duration usageEvery = Duration.ZERO;
        private Function<Path, RootDirectory> rootDirectories = PosixRootDirectory::new;

        private Builder() {}

        @Override
        protected Builder self() {
            return this;
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

        /** The number of claims, and of volumes, that are reconciled concurrently. */
        public Builder workers(int value) {
            workers = value;
            return this;
        }

        /** The interval at which the disk usage of volumes and roots is measured; by default, it is not measured. */
        public Builder usageEvery(Duration value) {
            usageEvery = value;
            return this;
        }

        /** Replaces the access to disks, for tests that inject failures. */
        Builder rootDirectories(Function<Path, RootDirectory> value) {
            rootDirectories = value;
            return this;
        }

        public DirectoryProvisioner build() {
            DirectorySettings settings =
                    new DirectorySettings(classes, provisioner, root, roots, namespace, node);
            // Report an invalid path before anything is opened.
            settings.allRoots().forEach(PosixRootDirectory::new);
            ControllerProcess process = open();
            ControllerContext context = role(process, "bucketwright.io/directories");
            Roots opened = new Roots(settings.allRoots(), rootDirectories, context.leadership());
            process.onClose(opened::close);
            new DirectoryControllers(context, settings, opened)
                    .create(workers, usageEvery)
                    .forEach(process::with);
            return new DirectoryProvisioner(process);
        }
    }
}
