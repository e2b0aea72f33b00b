package io.bucketwright.devtools.local;

import io.bucketwright.local.LocalCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** {@code bucketwright local kubectl}: the kubectl that was built with the cluster. */
@Command(
        name = "kubectl",
        description = "Runs kubectl as the administrator of the cluster; all arguments are passed to kubectl.")
final class KubectlCommand extends LocalToolCommand {

    @Mixin
    private ClusterDirectoryOption directory = new ClusterDirectoryOption();

    @Unmatched
    private List<String> options = new ArrayList<>();

    /** Passes all arguments after {@code kubectl} on, including {@code --}. */
    @Spec
    void takeEverything(CommandSpec spec) {
        spec.parser().stopAtUnmatched(true).endOfOptionsDelimiter("\0");
    }

    @Override
    protected int run() throws IOException, InterruptedException {
        LocalCluster cluster = directory.cluster();
        List<String> command = new ArrayList<>(List.of(cluster.kubectl().toString()));
        command.addAll(options);
        ProcessBuilder kubectl = new ProcessBuilder(command).inheritIO();
        kubectl.environment().put("KUBECONFIG", cluster.kubeconfig().toString());
        kubectl.environment().put("NO_PROXY", "127.0.0.1");
        return kubectl.start().waitFor();
    }
}
