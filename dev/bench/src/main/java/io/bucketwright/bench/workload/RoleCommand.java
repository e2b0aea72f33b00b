package io.bucketwright.bench.workload;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A process of a controller.
 *
 * @param account its service account; empty for a process that does not connect to the API server, or that is not ours
 * @param command without the kubeconfig
 * @param leases how many leases it holds; 0 for a process without leader election
 */
public record RoleCommand(String role, String account, List<String> command, int leases) {

    /** The role of a command that is not ours. */
    public static final String OTHER = "command";

    public RoleCommand {
        command = List.copyOf(command);
    }

    /** Another controller: it finds the kubeconfig in the environment, and who leads is not known. */
    public static RoleCommand other(String command) {
        return new RoleCommand(OTHER, "", List.of("sh", "-c", "exec " + command), 0);
    }

    /** A second replica of the same process, which does not get the lease. */
    public RoleCommand standby(String name, String otherAccount) {
        return new RoleCommand(name, otherAccount, command, 0);
    }

    public boolean isOther() {
        return role.equals(OTHER);
    }

    /** The command line with a kubeconfig. */
    public List<String> commandWith(Path kubeconfig) {
        return isOther()
                ? command
                : Stream.concat(command.stream(), Stream.of("--kubeconfig=" + kubeconfig))
                        .toList();
    }
}
