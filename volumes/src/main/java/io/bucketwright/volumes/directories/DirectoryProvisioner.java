package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.engine.ControllerBuilder;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.volumes.directories.files.PosixRoot;
import io.bucketwright.volumes.directories.files.RootFolder;
import io.bucketwright.volumes.directories.roots.Roots;
import io.bucketwright.volumes.directories.setup.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A whole provisioner of directories in one process.
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

    /** Starts, and returns at once; an API server that is away is waited for. */
    public DirectoryProvisioner start() {
        process.start();
        return this;
    }

    /** Waits until claims are worked on, or would be if this process led. */
    public void awaitWorking() throws InterruptedException {
        process.awaitWorking();
    }

    /** Starts, and returns when another thread closes it. */
    public void run() throws InterruptedException {
        process.start();
        process.awaitClosed();
    }

    /** Where health and metrics are served. */
    public int port() {
        return process.port();
    }

    /** Finishes what is in work, gives the lease back, and ends. */
    @Override
    public void close() {
        process.close();
    }

    /** What a provisioner is told; only a root is needed, and the names of its classes or its own. */
    public static final class Builder extends ControllerBuilder<Builder> {

        private final Set<String> classes = new LinkedHashSet<>();
        private final Map<String, Path> roots = new HashMap<>();
        private @Nullable Path root;
        private String provisioner = "";
        private String namespace = "";
        private String node = "";
        private int workers = 16;
        private Duration usageEvery = Duration.ZERO;
        private Function<Path, RootFolder> folders = PosixRoot::new;

        private Builder() {}

        @Override
        protected Builder self() {
            return this;
        }

        /** The name that StorageClasses call this provisioner by; without it, whatever name the classes served have. */
        public Builder provisioner(String name) {
            provisioner = name;
            return this;
        }

        /** Serves these classes; without it, all that name this provisioner. */
        public Builder classes(String... names) {
            classes.addAll(Arrays.asList(names));
            return this;
        }

        /** Where directories are made. */
        public Builder root(Path path) {
            root = path;
            return this;
        }

        /** Where directories of one class are made. */
        public Builder root(String storageClass, Path path) {
            roots.put(storageClass, path);
            return this;
        }

        /** Serves the claims of one namespace; without it, all. */
        public Builder namespace(String value) {
            namespace = value;
            return this;
        }

        /** Serves local volumes on this node's own disk; without it, what is shared. */
        public Builder node(String value) {
            node = value;
            return this;
        }

        /** How many claims, and how many volumes, are worked on at once. */
        public Builder workers(int value) {
            workers = value;
            return this;
        }

        /** Measures how much each volume holds and each root has, about this often; without it, nothing is. */
        public Builder usageEvery(Duration value) {
            usageEvery = value;
            return this;
        }

        /** Opens roots in another way, as tests do that break steps. */
        Builder folders(Function<Path, RootFolder> value) {
            folders = value;
            return this;
        }

        public DirectoryProvisioner build() {
            AtomicReference<Supplier<String>> clusterId = new AtomicReference<>(() -> "");
            Settings settings = new Settings(
                    classes,
                    provisioner,
                    root,
                    roots,
                    namespace,
                    node,
                    () -> clusterId.get().get());
            // A wrong path is told before anything is opened.
            settings.allRoots().forEach(PosixRoot::new);
            ControllerProcess process = open();
            Roots places = new Roots(settings.allRoots(), folders);
            process.onClose(places::close);
            DirectoryControllers controllers = new DirectoryControllers(
                    role(process, "bucketwright.io/directories"), settings, places, workers, usageEvery);
            clusterId.set(controllers.clusterId());
            controllers.all().forEach(process::with);
            return new DirectoryProvisioner(process);
        }
    }
}
