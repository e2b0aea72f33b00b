package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.leader.LeaseTiming;
import io.bucketwright.volumes.directories.files.PosixRoot;
import io.bucketwright.volumes.directories.files.RootFolder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.UnaryOperator;

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

    private final DirectoryProcess process;

    private DirectoryProvisioner(DirectoryProcess process) {
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
    public static final class Builder {

        final DirectoryOptions options = new DirectoryOptions();

        private Builder() {}

        /** How to reach the API server; without it, as kubectl or a pod would. */
        public Builder client(Config value) {
            options.config = value;
            return this;
        }

        /** The name that StorageClasses call this provisioner by; without it, whatever name the classes served have. */
        public Builder provisioner(String name) {
            options.provisioner = name;
            return this;
        }

        /** Serves these classes; without it, all that name this provisioner. */
        public Builder classes(String... names) {
            options.classes.addAll(Arrays.asList(names));
            return this;
        }

        /** Where directories are made. */
        public Builder root(Path path) {
            options.root = path;
            return this;
        }

        /** Where directories of one class are made. */
        public Builder root(String storageClass, Path path) {
            options.roots.put(storageClass, path);
            return this;
        }

        /** Serves the claims of one namespace; without it, all. */
        public Builder namespace(String value) {
            options.namespace = value;
            return this;
        }

        /** Serves local volumes on this node's own disk; without it, what is shared. */
        public Builder node(String value) {
            options.node = value;
            return this;
        }

        /** How many claims, and how many volumes, are worked on at once. */
        public Builder workers(int value) {
            options.workers = value;
            return this;
        }

        /** Runs for this lease, so that of several processes one works; without it, this process must be alone. */
        public Builder lease(String namespace, String name, LeaseTiming timing) {
            options.lease(namespace, name, timing);
            return this;
        }

        /** Measures how much each volume holds, about this often; without it, nothing is. */
        public Builder usageEvery(Duration value) {
            options.usageEvery = value;
            return this;
        }

        /** Where {@code /livez}, {@code /readyz} and {@code /metrics} are served; without it, at a free local port. */
        public Builder status(InetSocketAddress address) {
            options.status = address;
            return this;
        }

        /** Wraps the HTTP client, as tests do that count or break requests. */
        public Builder http(UnaryOperator<HttpClient.Factory> wrap) {
            options.http = wrap;
            return this;
        }

        /** Opens roots in another way, as tests do that break steps. */
        Builder folders(Function<Path, RootFolder> value) {
            options.folders = value;
            return this;
        }

        public DirectoryProvisioner build() {
            // A wrong path is told before anything is opened.
            options.allRoots().forEach(PosixRoot::new);
            return new DirectoryProvisioner(DirectoryProcess.open(options));
        }
    }
}
