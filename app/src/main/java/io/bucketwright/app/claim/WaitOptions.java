package io.bucketwright.app.claim;

import io.bucketwright.app.Failure;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Whether to wait for the end of what was begun, and how long. */
final class WaitOptions {

    private static final Duration PAUSE = Duration.ofMillis(300);

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Option(names = "--wait", description = "Wait until it is done, and say meanwhile why it is not.")
    private boolean wait;

    private Duration timeout = Duration.ofMinutes(5);

    @Option(
            names = "--timeout",
            defaultValue = "5m",
            paramLabel = "DURATION",
            description = "How long to wait at most (default: ${DEFAULT-VALUE}).")
    void timeout(String text) {
        try {
            timeout = Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
        } catch (DateTimeParseException e) {
            throw new ParameterException(
                    spec.commandLine(), "--timeout must be a duration such as 5m or 90s, not \"" + text + "\"");
        }
    }

    boolean wanted() {
        return wait;
    }

    /** What a look at the cluster showed. */
    sealed interface Look {

        /** Nothing is left to wait for. */
        record Done() implements Look {}

        /**
         * It goes on.
         *
         * @param why for people; said again only when it changes
         */
        record Waiting(String why) implements Look {}
    }

    /**
     * Looks again and again.
     *
     * @throws Failure if time is up; it says what was waited for last
     */
    void until(Supplier<Look> look, PrintWriter out) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        String said = "";
        while (look.get() instanceof Look.Waiting(String why)) {
            if (System.nanoTime() >= end) {
                throw new Failure("Not done after " + Words.duration(timeout) + ". " + why);
            }
            if (!why.equals(said)) {
                out.println(why);
                out.flush();
                said = why;
            }
            Thread.sleep(PAUSE);
        }
    }
}
