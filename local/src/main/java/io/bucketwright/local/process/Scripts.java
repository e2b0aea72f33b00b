package io.bucketwright.local.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
        List<String> command = new ArrayList<>(List.of("setsid", "sh", "-c", text(), resource));
        command.addAll(arguments);
        return command;
    }

    private String text() {
        try (InputStream in = Scripts.class.getResourceAsStream("/io/bucketwright/local/" + resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is missing from the jar of bucketwright-local");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
