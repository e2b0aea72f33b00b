package io.bucketwright.app.claim;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.AddedOption;
import io.bucketwright.app.options.DurationConverter;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Flags for waiting until an operation is complete. */
final class WaitOptions {

    private static final Duration PAUSE = Duration.ofMillis(300);

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec command;

    @Option(names = "--wait", description = "Wait until the operation is complete and print what it waits for.")
    private boolean wait;

    @Mixin
    private AddedOption<Duration> timeout = AddedOption.duration("--timeout", "5m", "Timeout of --wait");

    boolean wanted() {
        return wait;
    }

    /** How far an operation is. */
    sealed interface Progress {

        /** The operation is complete. */
        record Done() implements Progress {}

        /**
         * The operation is not complete.
         *
         * @param reason printed when it changes
         */
        record Waiting(String reason) implements Progress {}
    }

    /**
     * Polls until the operation is complete.
     *
     * @throws CommandException on timeout, with the last reason
     */
    void until(Supplier<Progress> poll) throws InterruptedException {
        PrintWriter out = command.commandLine().getOut();
        long end = System.nanoTime() + timeout.value().toNanos();
        String printed = "";
        while (poll.get() instanceof Progress.Waiting(String reason)) {
            if (System.nanoTime() >= end) {
                throw new CommandException(
                        "Timed out after " + DurationConverter.format(timeout.value()) + ". " + reason);
            }
            if (!reason.equals(printed)) {
                out.println(reason);
                out.flush();
                printed = reason;
            }
            Thread.sleep(PAUSE);
        }
    }
}
