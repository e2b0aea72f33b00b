package io.bucketwright.bench.cluster;

import io.bucketwright.app.command.CommandException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The command that this process was started with: {@code bin/bucketwright} beside {@code lib/}. */
public final class InstalledLauncher {

    private InstalledLauncher() {}

    /**
     * Finds the command.
     *
     * @throws CommandException if this process was not started from an installation
     */
    public static Path path() {
        return home().map(home -> home.resolve("bin").resolve("bucketwright"))
                .filter(Files::isExecutable)
                .orElseThrow(() -> new CommandException("bench measures the command that is built in a clone: run it as"
                        + " `./bucketwright bench` there."));
    }

    private static Optional<Path> home() {
        try {
            Path jar = Path.of(InstalledLauncher.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            // In lib/tools.
            return Optional.ofNullable(jar.getParent()).map(Path::getParent).map(Path::getParent);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }
}
