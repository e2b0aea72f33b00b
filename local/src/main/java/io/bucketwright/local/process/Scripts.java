package io.bucketwright.local.process;

import java.util.ArrayList;
import java.util.List;

/** The small shell scripts that must outlive this JVM, read from the jar and passed to {@code sh -c} as text. */
enum Scripts {
    GUARD("guard.sh"),
    LAUNCH("launch.sh"),
    TETHER("tether.sh");

    private final String resource;

    Scripts(String resource) {
        this.resource = resource;
    }

    /** The command that runs this script in a session of its own, so that no Ctrl-C of a terminal reaches it. */
    List<String> command(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of("setsid", "sh", "-c", Resources.text(resource), resource));
        command.addAll(arguments);
        return command;
    }
}
