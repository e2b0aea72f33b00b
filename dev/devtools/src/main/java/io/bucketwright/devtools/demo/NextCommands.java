package io.bucketwright.devtools.demo;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Commands for the cluster that the demo has kept.
 *
 * @param dir of the cluster
 * @param kubeconfig of its administrator
 */
record NextCommands(Path dir, Path kubeconfig) {

    private static final Path BUILT = Path.of("target", "dist");

    /** To look at it with kubectl, to list the claims, and to end it. */
    List<String> lines() {
        String command = command(home().orElse(dir), Path.of("").toAbsolutePath());
        return List.of(
                command + " local kubectl --dir " + dir
                        + " get storageclasses,secrets,persistentvolumeclaims --all-namespaces",
                command + " claim list --all-namespaces --kubeconfig " + kubeconfig,
                command + " local down --dir " + dir);
    }

    /**
     * How the user calls Bucketwright: in a clone by the script in its root, otherwise by the command on the path.
     *
     * @param home of the installed command
     * @param current the working directory
     */
    static String command(Path home, Path current) {
        if (!home.endsWith(BUILT)) {
            return "bucketwright";
        }
        for (@Nullable Path clone = home.getParent(); clone != null; clone = clone.getParent()) {
            Path script = clone.resolve("bucketwright");
            if (Files.isRegularFile(script) && Files.isExecutable(script)) {
                return clone.equals(current) ? "./bucketwright" : script.toString();
            }
        }
        return "bucketwright";
    }

    /** The directory that has bin/ and lib/. */
    private static Optional<Path> home() {
        @Nullable CodeSource source = NextCommands.class.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    Path.of(source.getLocation().toURI()).resolve("../../..").normalize());
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }
}
