package io.bucketwright.app.claim;

import io.bucketwright.app.AnsweringCommand;
import picocli.CommandLine.Command;

/** {@code bucketwright claim}. */
@Command(
        name = "claim",
        mixinStandardHelpOptions = true,
        description = "Shows, makes and deletes ObjectBucketClaims, and renews their keys.",
        subcommands = {
            ListCommand.class,
            DescribeCommand.class,
            CreateCommand.class,
            RotateCommand.class,
            DeleteCommand.class
        })
public final class ClaimCommand extends AnsweringCommand {

    @Override
    public Integer call() {
        throw wrongUsage("Name a subcommand of claim");
    }
}
