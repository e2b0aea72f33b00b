package io.bucketwright.app.command;

/** A command failed for a reason that the user can act on. The message is complete sentences and is printed as is. */
public final class CommandException extends RuntimeException {

    public CommandException(String message) {
        super(message);
    }

    public CommandException(String message, Throwable cause) {
        super(message, cause);
    }
}
