package io.bucketwright.app;

import io.bucketwright.app.local.LocalCommand;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bucketwright} itself: it only has subcommands. */
@Command(
        name = "bucketwright",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Buckets and volumes made to order on Kubernetes.",
        footer = {"", "Every flag can be set by an environment variable: --dir is BUCKETWRIGHT_DIR, and so on."},
        subcommands = {
            DemoCommand.class,
            LocalCommand.class,
            CrdsCommand.class,
            GenerateCompletion.class,
            HelpCommand.class
        })
final class BucketwrightCommand implements Runnable {

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli calls its setters
    private LogOptions log = new LogOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Name a command");
    }
}
