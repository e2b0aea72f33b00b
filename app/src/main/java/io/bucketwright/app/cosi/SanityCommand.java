package io.bucketwright.app.cosi;

import io.bucketwright.app.AnsweringCommand;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
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
            "Asks a COSI driver, anybody's, whether it keeps its word, and removes what it made.",
            "Exit code 0 if it does, 1 if a check failed. docs/cosi-sanity.md tells what each check asks."
        })
final class SanityCommand extends AnsweringCommand {

    @Option(
            names = "--endpoint",
            defaultValue = "unix:///var/lib/cosi/cosi.sock",
            paramLabel = "unix:///PATH",
            description = "The driver's socket (default: ${DEFAULT-VALUE}).")
    private String endpoint = "";

    @Option(
            names = "--param",
            paramLabel = "KEY=VALUE",
            description = "A parameter as a BucketClass has them; sent as driver_parameters.")
    private Map<String, String> parameters = new LinkedHashMap<>();

    @Option(
            names = "--access-param",
            paramLabel = "KEY=VALUE",
            description = "A parameter as a BucketAccessClass has them; sent in permissions.")
    private Map<String, String> accessParameters = new LinkedHashMap<>();

    @Option(
            names = "--secret-file",
            paramLabel = "KEY=FILE",
            description = "A credential that is sent with each request; its value is the file's content.")
    private Map<String, Path> secrets = new LinkedHashMap<>();

    @Option(names = "--use", description = "Try granted credentials out, by S3. The store must be reachable from here.")
    private boolean use;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "ID",
            description = "Only checks whose ids begin so: create-, grant-repeat …")
    private List<String> only = List.of();

    @Option(
            names = "--timeout",
            defaultValue = "30s",
            paramLabel = "DURATION",
            description = "How long one call may take (default: ${DEFAULT-VALUE}).")
    private String timeout = "";

    @Option(names = "--junit", paramLabel = "FILE", description = "Write the report there too, as JUnit's XML.")
    private @Nullable Path junit;

    @Override
    public Integer call() {
        try {
            boolean passed = new SanityRun(out())
                    .run(
                            new SanityRun.Flags(endpoint, parameters, accessParameters, secrets, use, only, duration()),
                            Optional.ofNullable(junit));
            return passed ? 0 : 1;
        } catch (IllegalArgumentException e) {
            throw wrongUsage(String.valueOf(e.getMessage()));
        }
    }

    private Duration duration() {
        try {
            return Duration.parse("PT" + timeout);
        } catch (DateTimeParseException e) {
            throw wrongUsage("--timeout must be a duration such as 30s or 2m, not \"" + timeout + "\"");
        }
    }
}
