package io.bucketwright.app.command;

/** A command failed for a reason that the user can act on. The message is complete sentences and is printed as is. */
public final class CommandException extends RuntimeException {

    public static final int FAILED = 1;
    public static final int USAGE = 2;

    private final int exitCode;

    public CommandException(String message) {
        this(message, FAILED);
    }

    public CommandException(String message, Throwable cause) {
        this(message, cause, FAILED);
    }

    private CommandException(String message, int exitCode) {
        super(message);
        this.exitCode = exitCode;
    }

    private CommandException(String message, Throwable cause, int exitCode) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** The command line is not valid; nothing was done. */
    public static CommandException usage(String message) {
        return new CommandException(message, USAGE);
    }

    /** The flags, or a file that they name, are not valid; nothing was done. */
    public static CommandException usage(String message, Throwable cause) {
        return new CommandException(message, cause, USAGE);
    }

    public int exitCode() {
        return exitCode;
    }
}
