package io.bucketwright.app;

import io.bucketwright.app.bench.BenchCommand;
import io.bucketwright.app.claim.ClaimCommand;
import io.bucketwright.app.command.CommandGroup;
import io.bucketwright.app.controller.ControllerCommand;
import io.bucketwright.app.cosi.CosiCommand;
import io.bucketwright.app.demo.DemoCommand;
import io.bucketwright.app.directories.DirectoryCommand;
import io.bucketwright.app.directories.DirectoryProvisionerCommand;
import io.bucketwright.app.local.LocalCommand;
import io.bucketwright.app.options.LogOptions;
import io.bucketwright.app.volumes.PvReleaserCommand;
import io.bucketwright.app.volumes.PvcProvisionerCommand;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Mixin;

/** {@code bucketwright}: the top-level command. */
@Command(
        name = "bucketwright",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        description = "Provisions buckets and volumes on Kubernetes.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:Success", "1:The command failed", "2:The command line is not valid"},
        footer = {
            "",
            "Each flag can also be set by an environment variable, such as BUCKETWRIGHT_LOG_LEVEL for --log-level."
        },
        subcommands = {
            DemoCommand.class,
            LocalCommand.class,
            ControllerCommand.class,
            ClaimCommand.class,
            CosiCommand.class,
            DirectoryCommand.class,
            DirectoryProvisionerCommand.class,
            PvcProvisionerCommand.class,
            PvReleaserCommand.class,
            CrdsCommand.class,
            BenchCommand.class,
            GenerateCompletion.class,
            HelpCommand.class
        })
final class BucketwrightCommand extends CommandGroup {

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli calls its setters
    private LogOptions log = new LogOptions();
}
