package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.bucketwright.volumes.directories.files.PosixRoot;
import io.bucketwright.volumes.directories.files.RootFolder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What the builder has been told so far. */
final class DirectoryOptions {

    final Set<String> classes = new LinkedHashSet<>();
    final Map<String, Path> roots = new HashMap<>();
    String provisioner = "";
    String namespace = "";
    String node = "";
    int workers = 16;
    Duration usageEvery = Duration.ZERO;
    LeaseTiming timing = LeaseTiming.standard();
    InetSocketAddress status = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    UnaryOperator<HttpClient.Factory> http = UnaryOperator.identity();
    Function<Path, RootFolder> folders = PosixRoot::new;

    @Nullable
    Path root;

    @Nullable
    Config config;

    @Nullable
    LeaseName lease;

    void lease(String leaseNamespace, String name, LeaseTiming leaseTiming) {
        lease = new LeaseName(leaseNamespace, name);
        timing = leaseTiming;
    }

    List<Path> allRoots() {
        List<Path> all = new ArrayList<>(roots.values());
        if (root != null) {
            all.add(root);
        }
        return all;
    }
}
