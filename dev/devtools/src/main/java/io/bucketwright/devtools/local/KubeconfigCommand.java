package io.bucketwright.devtools.local;

import io.bucketwright.local.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bucketwright local kubeconfig}. */
@Command(
        name = "kubeconfig",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the administrator's kubeconfig, or one for a user with the given name and groups.",
            "Such a user has no permissions until a role is bound to the user or a group."
        })
final class KubeconfigCommand extends LocalToolCommand {

    @Mixin
    private ClusterDirectoryOption directory = new ClusterDirectoryOption();

    @Option(names = "--user", paramLabel = "NAME", description = "User name.")
    private @Nullable String user;

    @Option(names = "--group", paramLabel = "GROUP", description = "Group of the user; can be repeated.")
    private List<String> groups = List.of();

    @Override
    protected int run() throws IOException {
        if (user == null && !groups.isEmpty()) {
            throw usageError("--group requires --user");
        }
        LocalCluster cluster = directory.cluster();
        Path file = user == null ? cluster.kubeconfig() : cluster.kubeconfigFor(user, groups.toArray(String[]::new));
        out().print(Files.readString(file));
        out().flush();
        return 0;
    }
}
