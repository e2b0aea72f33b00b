package io.bucketwright.app.options;

import io.bucketwright.app.logging.LogSetup;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The log flags of klog, Kubernetes' logger in Go. All are accepted; the log is always written to standard error. */
public final class KlogOptions {

    private static final int DEBUG = 4;
    private static final int TRACE = 6;

    private static final List<String> IGNORED_SWITCHES =
            List.of("add_dir_header", "alsologtostderr", "one_output", "skip_headers", "skip_log_headers");

    private static final Map<String, String> IGNORED_VALUES = Map.of(
            "log_backtrace_at", "FILE:N",
            "log_dir", "DIR",
            "log_file", "FILE",
            "log_file_max_size", "MB",
            "stderrthreshold", "LEVEL",
            "vmodule", "PATTERN=N,…");

    private List<OptionSpec> ignored = List.of();

    @Option(
            names = {"--v", "-v"},
            paramLabel = "N",
            description = "Log verbosity as a number: 4 is debug, 6 is trace. See also --log-level.")
    void verbosity(int level) {
        if (level >= DEBUG) {
            System.setProperty(LogSetup.LEVEL, level >= TRACE ? "TRACE" : "DEBUG");
        }
    }

    private boolean toStandardError = true;

    @Option(
            names = {"--logtostderr", "-logtostderr"},
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "The log is always written to standard error.")
    void toStandardError(boolean value) {
        toStandardError = value;
    }

    @Spec(Spec.Target.MIXEE)
    void addIgnored(CommandSpec command) {
        ignored = Stream.concat(
                        IGNORED_SWITCHES.stream()
                                .map(name -> option(name, "BOOL", Boolean.class)
                                        .arity("0..1")
                                        .fallbackValue("true")),
                        IGNORED_VALUES.keySet().stream()
                                .sorted()
                                .map(name -> option(name, IGNORED_VALUES.getOrDefault(name, ""), String.class)))
                .map(OptionSpec.Builder::build)
                .toList();
        ignored.forEach(command::addOption);
    }

    private static OptionSpec.Builder option(String name, String label, Class<?> type) {
        return OptionSpec.builder("--" + name, "-" + name)
                .type(type)
                .paramLabel(label)
                .description("Ignored.");
    }

    /** Logs one warning that names the flags without effect. */
    public void warnAboutIgnored(Logger log) {
        String names = Stream.concat(
                        toStandardError ? Stream.empty() : Stream.of("-logtostderr=false"),
                        ignored.stream()
                                .filter(option -> option.getValue() != null)
                                .map(OptionSpec::shortestName))
                .collect(Collectors.joining(", "));
        if (!names.isEmpty()) {
            log.warn(
                    "Ignoring {}: the log is written to standard error; set --log-format and --log-level instead",
                    names);
        }
    }
}
