package io.bucketwright.app.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.command.CommandException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.AbstractStringAssert;
import picocli.CommandLine;

/** Runs {@code bucketwright claim} or another command in this process, as the command would, and keeps what it prints. */
public final class ClaimShell {

    private final List<String> flags;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** @param more flags of all commands */
    public ClaimShell(Path kubeconfig, String... more) {
        flags = new ArrayList<>(List.of(more));
        flags.add("--kubeconfig=" + kubeconfig);
    }

    /** The exit code. */
    public int run(String... arguments) {
        return run(new ClaimCommand(), arguments);
    }

    /** The exit code of another command. */
    public int run(Object command, String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(flags);
        return commandLine(command).execute(all.toArray(String[]::new));
    }

    /** Runs the command, which succeeds, and asserts something about its output. */
    public AbstractStringAssert<?> succeeds(String... arguments) {
        return succeeds(new ClaimCommand(), arguments);
    }

    public AbstractStringAssert<?> succeeds(Object command, String... arguments) {
        assertThat(run(command, arguments))
                .as(() -> List.of(arguments) + ": " + err() + out())
                .isZero();
        return assertThat(out());
    }

    /** Runs the command, which fails, and asserts something about its error message. */
    public AbstractStringAssert<?> fails(String... arguments) {
        return fails(new ClaimCommand(), arguments);
    }

    public AbstractStringAssert<?> fails(Object command, String... arguments) {
        assertThat(run(command, arguments))
                .as(() -> List.of(arguments) + ": " + out())
                .isEqualTo(1);
        return assertThat(err());
    }

    public String out() {
        return out.toString();
    }

    public String err() {
        return err.toString();
    }

    private CommandLine commandLine(Object root) {
        CommandLine command = new CommandLine(root);
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        command.setCaseInsensitiveEnumValuesAllowed(true);
        command.setExecutionExceptionHandler((failure, line, parsed) -> {
            if (failure instanceof CommandException) {
                line.getErr().println(failure.getMessage());
                return 1;
            }
            throw failure;
        });
        return command;
    }
}
