package io.bucketwright.app.local;

import io.bucketwright.app.AnsweringCommand;
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
            "Prints a kubeconfig: the administrator's, or one for a user of the given name and groups.",
            "Such a user may do nothing until a role is bound to the name or the group."
        })
final class KubeconfigCommand extends AnsweringCommand {

    @Mixin
    private ClusterDirectory directory = new ClusterDirectory();

    @Option(names = "--user", paramLabel = "NAME", description = "The user's name.")
    private @Nullable String user;

    @Option(names = "--group", paramLabel = "GROUP", description = "A group of the user; may be given several times.")
    private List<String> groups = List.of();

    @Override
    public Integer call() throws IOException {
        if (user == null && !groups.isEmpty()) {
            throw wrongUsage("--group needs --user");
        }
        LocalCluster cluster = directory.cluster();
        Path file = user == null ? cluster.kubeconfig() : cluster.kubeconfigFor(user, groups.toArray(String[]::new));
        out().print(Files.readString(file));
        out().flush();
        return 0;
    }
}
