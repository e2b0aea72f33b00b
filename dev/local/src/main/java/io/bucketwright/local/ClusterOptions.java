package io.bucketwright.local;

import io.bucketwright.local.binaries.Binaries;
import io.bucketwright.local.report.Progress;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Options of a cluster.
 *
 * @param dir where it keeps its state
 * @param additions what it has beside the control plane
 * @param apiServerFlags passed on to kube-apiserver
 * @param binaries where programs come from
 * @param progress receives the progress
 */
record ClusterOptions(
        Path dir, Set<AddOn> additions, List<String> apiServerFlags, Binaries binaries, Progress progress) {

    ClusterOptions {
        dir = dir.toAbsolutePath().normalize();
        additions = Set.copyOf(additions);
        apiServerFlags = List.copyOf(apiServerFlags);
    }
}
