package io.bucketwright.local.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Scripts and templates, read from the jar. */
public final class Resources {

    private Resources() {}

    /** The text of {@code io/bucketwright/local/<name>}. */
    public static String text(String name) {
        return new String(bytes(name), StandardCharsets.UTF_8);
    }

    /** The command that runs a script in a session of its own, so that no Ctrl-C of a terminal reaches it. */
    static List<String> script(String name, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of("setsid", "sh", "-c", text(name), name));
        command.addAll(arguments);
        return command;
    }

    public static byte[] bytes(String name) {
        try (InputStream in = Resources.class.getResourceAsStream("/io/bucketwright/local/" + name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from the jar of bucketwright-local");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
