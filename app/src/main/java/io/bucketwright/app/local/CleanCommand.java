package io.bucketwright.app.local;

import io.bucketwright.app.AnsweringCommand;
import io.bucketwright.local.binaries.ProgramCache;
import java.nio.file.Path;
import picocli.CommandLine.Command;

/** {@code bucketwright local clean}. */
@Command(
        name = "clean",
        mixinStandardHelpOptions = true,
        description = "Empties the cache of built and downloaded programs; the next `up` builds them again.")
final class CleanCommand extends AnsweringCommand {

    @Override
    public Integer call() {
        ProgramCache cache = ProgramCache.of(System.getenv(), Path.of(System.getProperty("user.home")));
        cache.clean();
        out().println("Emptied " + cache.root() + ".");
        return 0;
    }
}
