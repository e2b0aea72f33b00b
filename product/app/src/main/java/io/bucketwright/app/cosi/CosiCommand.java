package io.bucketwright.app.cosi;

import io.bucketwright.app.command.CommandGroup;
import picocli.CommandLine.Command;

/** {@code bucketwright cosi}. */
@Command(
        name = "cosi",
        mixinStandardHelpOptions = true,
        description =
                "Runs the components of the Container Object Storage Interface (COSI); transfers and exports its buckets.",
        subcommands = {
            CosiControllerCommand.class,
            SidecarCommand.class,
            DriverCommand.class,
            AdapterCommand.class,
            SanityCommand.class,
            CosiTransferCommand.class,
            ExportReleasedCommand.class
        })
public final class CosiCommand extends CommandGroup {}
