package io.bucketwright.devtools.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.bucketwright.app.options.AddedOption;
import io.bucketwright.local.ClusterStatus;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bucketwright local status}. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = "Shows the components of the cluster. Exit code 0: all are running; 1: some are not.")
final class StatusCommand extends LocalToolCommand {

    @Mixin
    private ClusterDirectoryOption directory = new ClusterDirectoryOption();

    @Mixin
    private AddedOption<AddedOption.Format> output =
            AddedOption.output("Output format; json includes the keys of the store.");

    @Override
    protected int run() throws JsonProcessingException {
        ClusterStatus status = directory.cluster().status();
        switch (output.value()) {
            case JSON -> printJson(status);
            case TEXT -> print(status, out());
        }
        return status.ready() ? 0 : 1;
    }

    private static void print(ClusterStatus status, PrintWriter out) {
        out.printf("%-26s%-10s%-10s%s%n", "COMPONENT", "STATE", "PID", "PORT");
        status.components()
                .forEach((name, component) -> out.printf(
                        "%-26s%-10s%-10s%s%n",
                        name,
                        component.running() ? "running" : "stopped",
                        component.running() ? Long.toString(component.pid()) : "-",
                        component.port() == 0 ? "-" : Integer.toString(component.port())));
        out.println();
        out.println("kubeconfig  " + status.kubeconfig());
        out.println("audit log   " + status.auditLog());
        status.stores().forEach((kind, store) -> out.printf("%-12s%s%n", kind, StoreLine.of(store)));
    }
}
