package io.bucketwright.app.cosi;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.cosi.sanity.CheckResult;
import io.bucketwright.cosi.sanity.JUnitXml;
import io.bucketwright.cosi.sanity.Sanity;
import io.bucketwright.cosi.sanity.SanityOptions;
import io.bucketwright.cosi.sanity.SanityReport;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.store.connection.SecretValue;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs the conformance tests and prints the results. */
final class SanityRun {

    private final PrintWriter out;

    SanityRun(PrintWriter out) {
        this.out = out;
    }

    /** Values of the flags. */
    record Flags(
            String endpoint,
            Map<String, String> parameters,
            Map<String, String> accessParameters,
            Map<String, Path> secretFiles,
            boolean testCredentials,
            List<String> only,
            Duration timeout,
            Optional<Path> junitReport) {}

    /**
     * Runs the tests and returns whether all passed.
     *
     * @throws IllegalArgumentException if a flag is wrong
     * @throws CommandException if the driver is not reachable, or a file cannot be read or written
     */
    boolean run(Flags flags) {
        requireChecks(flags.only());
        SanityOptions options = new SanityOptions(
                SocketPath.parse(flags.endpoint()),
                flags.parameters(),
                flags.accessParameters(),
                secrets(flags.secretFiles()),
                flags.testCredentials(),
                flags.only(),
                flags.timeout());
        try {
            SanityReport report = new Sanity(options, this::print).run();
            out.println();
            out.print("The driver " + report.driver() + " (" + report.protocol() + "): " + report.summary());
            out.flush();
            flags.junitReport().ifPresent(file -> write(file, report));
            return report.passed();
        } catch (Sanity.Unreachable e) {
            throw new CommandException(String.valueOf(e.getMessage()), e);
        }
    }

    private void print(CheckResult outcome) {
        String verdict = switch (outcome.verdict()) {
            case PASSED -> "ok";
            case FAILED -> "FAIL";
            case SKIPPED -> "skip";
        };
        out.printf("%-4s  %-24s  %s%n", verdict, outcome.id(), outcome.title());
        if (!outcome.remark().isEmpty()) {
            out.printf("      %-24s  %s%n", "", outcome.remark().replaceAll("\\p{Cntrl}", " "));
        }
        out.flush();
    }

    private static void requireChecks(List<String> only) {
        for (String prefix : only) {
            if (Sanity.ids().stream().noneMatch(id -> id.startsWith(prefix))) {
                throw new IllegalArgumentException("--only " + prefix + " does not match the id of any check");
            }
        }
    }

    private static Map<String, SecretValue> secrets(Map<String, Path> files) {
        Map<String, SecretValue> secrets = new HashMap<>();
        files.forEach((key, file) -> {
            try {
                secrets.put(key, SecretValue.of(Files.readString(file).strip()));
            } catch (IOException e) {
                throw new CommandException("The secret " + file + " cannot be read.", e);
            }
        });
        return secrets;
    }

    private static void write(Path file, SanityReport report) {
        try {
            Files.writeString(file, JUnitXml.of(report));
        } catch (IOException e) {
            throw new CommandException("The report " + file + " cannot be written: " + e.getMessage() + ".", e);
        }
    }
}
