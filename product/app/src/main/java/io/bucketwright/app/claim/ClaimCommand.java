package io.bucketwright.app.claim;

import io.bucketwright.app.command.CommandGroup;
import picocli.CommandLine.Command;

/** {@code bucketwright claim}. */
@Command(
        name = "claim",
        mixinStandardHelpOptions = true,
        description = "Manages ObjectBucketClaims and their buckets; list, describe and rotate also serve COSI"
                + " (objectstorage.k8s.io).",
        subcommands = {
            CreateCommand.class,
            ListCommand.class,
            DescribeCommand.class,
            RotateCommand.class,
            AdoptCommand.class,
            UnsuspendCommand.class,
            TransferCommand.class,
            DeleteCommand.class
        })
public final class ClaimCommand extends CommandGroup {}
