package io.bucketwright.app.local;

import io.bucketwright.local.LocalCluster;
import io.bucketwright.local.report.LocalClusterException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which local cluster is meant. */
final class ClusterDirectory {

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Where the cluster keeps its state (default: bucketwright/local in the user's state folder).")
    private @Nullable Path dir;

    Path path() {
        if (dir != null) {
            return dir.toAbsolutePath().normalize();
        }
        String configured = Optional.ofNullable(System.getenv("XDG_STATE_HOME")).orElse("");
        Path base = configured.isBlank()
                ? Path.of(System.getProperty("user.home"), ".local", "state")
                : Path.of(configured);
        return base.resolve("bucketwright").resolve("local");
    }

    LocalCluster cluster() {
        return LocalCluster.find(path())
                .orElseThrow(() -> new LocalClusterException(
                        "There is no local cluster in " + path() + "; `bucketwright local up` starts one."));
    }
}
