package io.bucketwright.app.claim;

import io.bucketwright.app.command.CommandGroup;
import picocli.CommandLine.Command;

/** {@code bucketwright bucket}. */
@Command(
        name = "bucket",
        mixinStandardHelpOptions = true,
        description = "Shows the buckets of a store, also those that no claim uses, and who can open one of them.",
        subcommands = {BucketListCommand.class, BucketAccessCommand.class})
public final class BucketCommand extends CommandGroup {}
