package io.bucketwright.app.cosi;

import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.options.DurationConverter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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

    @Option(
            names = "--endpoint",
            defaultValue = "unix:///var/lib/cosi/cosi.sock",
            paramLabel = "unix:///PATH",
            description = "Socket of the driver (default: ${DEFAULT-VALUE}).")
    private String endpoint = "";

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
            names = "--timeout",
            defaultValue = "30s",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "Timeout of one call (default: ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ZERO;

    @Option(names = "--junit-report", paramLabel = "FILE", description = "File for a report in JUnit's XML format.")
    private @Nullable Path junit;

    @Override
    public Integer call() {
        try {
            boolean passed = new SanityRun(out())
                    .run(new SanityRun.Flags(
                            endpoint,
                            parameters,
                            accessParameters,
                            secrets,
                            testCredentials,
                            only,
                            timeout,
                            Optional.ofNullable(junit)));
            return passed ? 0 : 1;
        } catch (IllegalArgumentException e) {
            throw usageError(e);
        }
    }
}
