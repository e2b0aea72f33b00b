package io.bucketwright.devtools.local;

import io.bucketwright.local.binaries.ProgramCache;
import java.nio.file.Path;
import picocli.CommandLine.Command;

/** {@code bucketwright local clean}. */
@Command(
        name = "clean",
        mixinStandardHelpOptions = true,
        description = "Deletes the cached binaries; the next `up` builds them again.")
final class CleanCommand extends LocalToolCommand {

    @Override
    protected int run() {
        ProgramCache cache = ProgramCache.of(System.getenv(), Path.of(System.getProperty("user.home")));
        cache.clean();
        out().println("Deleted the content of " + cache.root() + ".");
        return 0;
    }
}
