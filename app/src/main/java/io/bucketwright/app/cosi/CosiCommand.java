package io.bucketwright.app.cosi;

import io.bucketwright.app.AnsweringCommand;
import picocli.CommandLine.Command;

/** {@code bucketwright cosi}. */
@Command(
        name = "cosi",
        mixinStandardHelpOptions = true,
        description = "Tools for the Container Object Storage Interface.",
        subcommands = SanityCommand.class)
public final class CosiCommand extends AnsweringCommand {

    @Override
    public Integer call() {
        throw wrongUsage("Name a subcommand of cosi");
    }
}
