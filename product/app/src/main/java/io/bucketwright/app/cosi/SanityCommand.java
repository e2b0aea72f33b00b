package io.bucketwright.app.cosi;

import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.AddedOption;
import io.bucketwright.cosi.sanity.CheckResult;
import io.bucketwright.cosi.sanity.JUnitXml;
import io.bucketwright.cosi.sanity.Sanity;
import io.bucketwright.cosi.sanity.SanityOptions;
import io.bucketwright.cosi.sanity.SanityReport;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.store.connection.SecretValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bucketwright cosi sanity}. */
@Command(
        name = "sanity",
        mixinStandardHelpOptions = true,
        description = {
            "Tests a COSI driver for conformance and removes what the tests created.",
            "Exit code 0: all checks passed; 1: a check failed. See docs/cosi-sanity.md."
        })
final class SanityCommand extends BaseCommand {

    @Mixin
    private AddedOption<String> endpoint = AddedOption.socket("--endpoint", "Socket of the driver");

    @Option(
            names = "--param",
            paramLabel = "KEY=VALUE",
            description = "Parameter of a BucketClass; sent as driver_parameters.")
    private Map<String, String> parameters = new LinkedHashMap<>();

    @Option(
            names = "--access-param",
            paramLabel = "KEY=VALUE",
            description = "Parameter of a BucketAccessClass; sent in permissions.")
    private Map<String, String> accessParameters = new LinkedHashMap<>();

    @Option(
            names = "--secret-file",
            paramLabel = "KEY=FILE",
            description = "Credential that is sent with each request; the value is the content of the file.")
    private Map<String, Path> secrets = new LinkedHashMap<>();

    @Option(
            names = "--test-credentials",
            description = "Use granted credentials to access the store by S3. The store must be reachable.")
    private boolean testCredentials;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "PREFIX",
            description = "Run only checks whose id starts with the prefix, such as create- or grant-repeat.")
    private List<String> only = List.of();

    @Option(
            names = "--dialect",
            paramLabel = "PACKAGE",
            description =
                    "gRPC package to call: cosi.v1 or cosi.v1alpha1 (default: the first one that the driver serves).")
    private String dialect = "";

    @Mixin
    private AddedOption<Duration> timeout = AddedOption.duration("--timeout", "30s", "Timeout of one call");

    @Option(names = "--junit-report", paramLabel = "FILE", description = "File for a report in JUnit's XML format.")
    private @Nullable Path junit;

    @Override
    public Integer call() {
        SanityReport report = run();
        out().println();
        out().print("The driver " + report.driver() + " (" + report.protocol() + "): " + report.summary());
        out().flush();
        if (junit != null) {
            write(junit, report);
        }
        return report.passed() ? 0 : 1;
    }

    private SanityReport run() {
        for (String prefix : only) {
            if (Sanity.ids().stream().noneMatch(id -> id.startsWith(prefix))) {
                throw usageError("--only " + prefix + " does not match the id of any check");
            }
        }
        if (!dialect.isEmpty() && !Sanity.dialects().contains(dialect)) {
            throw usageError("--dialect " + dialect + " must be one of " + String.join(", ", Sanity.dialects()));
        }
        if (junit != null && !Files.isDirectory(junit.toAbsolutePath().resolveSibling(""))) {
            throw usageError("The directory of --junit-report " + junit + " does not exist");
        }
        try {
            return new Sanity(
                            new SanityOptions(
                                    SocketPath.parse(endpoint.value()),
                                    parameters,
                                    accessParameters,
                                    secretValues(),
                                    testCredentials,
                                    only,
                                    timeout.value(),
                                    dialect),
                            this::print)
                    .run();
        } catch (IllegalArgumentException e) {
            throw usageError(e);
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
        out().printf("%-4s  %-24s  %s%n", verdict, outcome.id(), outcome.title());
        if (!outcome.remark().isEmpty()) {
            out().printf("      %-24s  %s%n", "", outcome.remark().replaceAll("\\p{Cntrl}", " "));
        }
        out().flush();
    }

    private Map<String, SecretValue> secretValues() {
        Map<String, SecretValue> values = new HashMap<>();
        secrets.forEach((key, file) -> {
            try {
                values.put(key, SecretValue.of(Files.readString(file).strip()));
            } catch (IOException e) {
                throw new CommandException("The secret " + file + " cannot be read.", e);
            }
        });
        return values;
    }

    private static void write(Path file, SanityReport report) {
        try {
            Files.writeString(file, JUnitXml.of(report));
        } catch (IOException e) {
            throw new CommandException("The report " + file + " cannot be written: " + e.getMessage() + ".", e);
        }
    }
}
