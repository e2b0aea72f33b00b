package io.bucketwright.devtools.local;

import io.bucketwright.local.LocalCluster;
import io.bucketwright.local.report.LocalClusterException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --dir}: selects the local cluster. */
final class ClusterDirectoryOption {

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Directory of the cluster's state (default: ~/.local/state/bucketwright/local).")
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
                        "There is no local cluster in " + path() + "; start one with `bucketwright local up`."));
    }
}
