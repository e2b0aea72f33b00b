package io.bucketwright.app.local;

import io.bucketwright.local.binaries.Cache;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bucketwright local clean}. */
@Command(
        name = "clean",
        mixinStandardHelpOptions = true,
        description = "Empties the cache of built and downloaded programs; the next `up` builds them again.")
final class CleanCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        Cache cache = Cache.of(System.getenv(), Path.of(System.getProperty("user.home")));
        cache.clean();
        spec.commandLine().getOut().println("Emptied " + cache.root() + ".");
        return 0;
    }
}
