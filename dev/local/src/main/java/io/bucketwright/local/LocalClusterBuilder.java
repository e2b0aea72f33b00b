package io.bucketwright.local;

import io.bucketwright.local.binaries.Binaries;
import io.bucketwright.local.binaries.KubernetesVersion;
import io.bucketwright.local.report.LocalClusterException;
import io.bucketwright.local.report.Progress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Configures and starts a cluster. */
public final class LocalClusterBuilder {

    private final Set<AddOn> additions = EnumSet.noneOf(AddOn.class);
    private final List<String> apiServerFlags = new ArrayList<>();
    private Progress progress = Progress.silent();
    private @Nullable Path dir;
    private @Nullable KubernetesVersion kubernetes;

    LocalClusterBuilder() {}

    /** Where it keeps its state; by default a new temporary folder. */
    public LocalClusterBuilder dir(Path folder) {
        this.dir = folder;
        return this;
    }

    public LocalClusterBuilder with(AddOn... more) {
        return with(List.of(more));
    }

    public LocalClusterBuilder with(Collection<AddOn> more) {
        additions.addAll(more);
        return this;
    }

    /**
     * The version of Kubernetes; by default that of the cluster that is in the folder already, else the one that the
     * environment variable {@code BUCKETWRIGHT_KUBERNETES} names, else the newest.
     */
    public LocalClusterBuilder kubernetes(KubernetesVersion version) {
        this.kubernetes = version;
        return this;
    }

    /** A flag for kube-apiserver, for tests that need an unusual one. */
    public LocalClusterBuilder apiServerFlag(String flag) {
        apiServerFlags.add(flag);
        return this;
    }

    public LocalClusterBuilder progress(Progress listener) {
        this.progress = listener;
        return this;
    }

    /**
     * Starts the cluster, or what is missing of it, and answers when it is ready. It ends with this JVM unless
     * {@link LocalCluster#release() released}.
     *
     * @throws LocalClusterException if it cannot be had, with the reason
     */
    public LocalCluster start() {
        Path folder = dir == null ? temporary() : dir;
        Binaries binaries = Binaries.ofThisUser(progress);
        return LocalCluster.up(new ClusterOptions(
                folder, additions, apiServerFlags, binaries.with(version(folder, binaries)), progress));
    }

    private KubernetesVersion version(Path folder, Binaries binaries) {
        if (kubernetes != null) {
            return kubernetes;
        }
        return new ClusterFiles(folder).exists() ? ClusterState.load(folder).kubernetes() : binaries.kubernetes();
    }

    private static Path temporary() {
        return LocalClusterException.orFail(
                "Cannot make a temporary folder", () -> Files.createTempDirectory("bucketwright-"));
    }
}
