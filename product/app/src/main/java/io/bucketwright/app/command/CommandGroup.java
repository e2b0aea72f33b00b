package io.bucketwright.app.command;

/** A command that consists of subcommands and does nothing itself. */
public abstract class CommandGroup extends BaseCommand {

    @Override
    public final Integer call() {
        throw usageError("A subcommand is required");
    }
}
