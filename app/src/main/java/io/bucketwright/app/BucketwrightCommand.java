package io.bucketwright.app;

import io.bucketwright.app.claim.AdoptCommand;
import io.bucketwright.app.claim.ClaimCommand;
import io.bucketwright.app.claim.LiftCommand;
import io.bucketwright.app.controller.ControllerCommand;
import io.bucketwright.app.cosi.AdapterCommand;
import io.bucketwright.app.cosi.CosiCommand;
import io.bucketwright.app.cosi.DriverCommand;
import io.bucketwright.app.cosi.SidecarCommand;
import io.bucketwright.app.demo.DemoCommand;
import io.bucketwright.app.directories.DirectoryCommand;
import io.bucketwright.app.directories.DirectoryProvisionerCommand;
import io.bucketwright.app.local.LocalCommand;
import io.bucketwright.app.volumes.PvReleaserCommand;
import io.bucketwright.app.volumes.PvcProvisionerCommand;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Mixin;

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
            ControllerCommand.class,
            PvcProvisionerCommand.class,
            PvReleaserCommand.class,
            DirectoryProvisionerCommand.class,
            DirectoryCommand.class,
            ClaimCommand.class,
            CosiCommand.class,
            DriverCommand.class,
            SidecarCommand.class,
            AdapterCommand.class,
            AdoptCommand.class,
            LiftCommand.class,
            CrdsCommand.class,
            GenerateCompletion.class,
            HelpCommand.class
        })
final class BucketwrightCommand extends AnsweringCommand {

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli calls its setters
    private LogOptions log = new LogOptions();

    @Override
    public Integer call() {
        throw wrongUsage("Name a command");
    }
}
