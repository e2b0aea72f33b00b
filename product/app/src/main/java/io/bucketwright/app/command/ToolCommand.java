package io.bucketwright.app.command;

/**
 * A subcommand that a clone of the repository has and the product does not: a tool for its users and developers, found by
 * {@link java.util.ServiceLoader}.
 */
public interface ToolCommand {

    /** The first word of its command line. */
    String name();

    /** The class with picocli's annotations; it has a constructor without parameters. */
    Class<?> command();
}
