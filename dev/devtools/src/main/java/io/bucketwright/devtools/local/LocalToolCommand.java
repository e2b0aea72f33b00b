package io.bucketwright.devtools.local;

import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.local.report.LocalClusterException;

/** A command that uses the local cluster or its programs. Their failures are those of the command. */
public abstract class LocalToolCommand extends BaseCommand {

    /** Runs the command and returns its exit code. */
    protected abstract int run() throws Exception;

    @Override
    public final Integer call() throws Exception {
        try {
            return run();
        } catch (LocalClusterException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e);
        }
    }
}
