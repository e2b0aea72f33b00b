package io.bucketwright.app.volumes;

import io.bucketwright.app.logging.LogSetup;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import picocli.CommandLine.Option;

/** The flags that Go programs have for their log. The log goes to standard error here, whatever they say. */
final class LogFlags {

    private static final int DEBUG = 4;
    private static final int TRACE = 6;

    private final List<String> ignored = new ArrayList<>();

    @Option(
            names = {"--v", "-v"},
            paramLabel = "N",
            description = "How much is logged: 4 is debug, 6 is trace. --log-level says it in words.")
    void verbosity(int level) {
        if (level >= DEBUG) {
            System.setProperty(LogSetup.LEVEL, level >= TRACE ? "TRACE" : "DEBUG");
        }
    }

    @Option(
            names = {"--logtostderr", "-logtostderr"},
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "The log goes to standard error, always.")
    void toStandardError(boolean value) {
        if (!value) {
            ignored.add("-logtostderr=false");
        }
    }

    @Option(
            names = {"--add_dir_header", "-add_dir_header"},
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "Ignored.")
    void addDirHeader(boolean value) {
        ignored.add("-add_dir_header");
    }

    @Option(
            names = {"--alsologtostderr", "-alsologtostderr"},
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "Ignored.")
    void alsoToStandardError(boolean value) {
        ignored.add("-alsologtostderr");
    }

    @Option(
            names = {"--log_backtrace_at", "-log_backtrace_at"},
            paramLabel = "FILE:N",
            description = "Ignored.")
    void backtraceAt(String value) {
        ignored.add("-log_backtrace_at");
    }

    @Option(
            names = {"--log_dir", "-log_dir"},
            paramLabel = "DIR",
            description = "Ignored.")
    void directory(String value) {
        ignored.add("-log_dir");
    }

    @Option(
            names = {"--log_file", "-log_file"},
            paramLabel = "FILE",
            description = "Ignored.")
    void file(String value) {
        ignored.add("-log_file");
    }

    @Option(
            names = {"--log_file_max_size", "-log_file_max_size"},
            paramLabel = "MB",
            description = "Ignored.")
    void fileSize(long value) {
        ignored.add("-log_file_max_size");
    }

    @Option(
            names = {"--one_output", "-one_output"},
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "Ignored.")
    void oneOutput(boolean value) {
        ignored.add("-one_output");
    }

    @Option(
            names = {"--skip_headers", "-skip_headers"},
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "Ignored.")
    void skipHeaders(boolean value) {
        ignored.add("-skip_headers");
    }

    @Option(
            names = {"--skip_log_headers", "-skip_log_headers"},
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "Ignored.")
    void skipLogHeaders(boolean value) {
        ignored.add("-skip_log_headers");
    }

    @Option(
            names = {"--stderrthreshold", "-stderrthreshold"},
            paramLabel = "LEVEL",
            description = "Ignored.")
    void threshold(String value) {
        ignored.add("-stderrthreshold");
    }

    @Option(
            names = {"--vmodule", "-vmodule"},
            paramLabel = "PATTERN=N,…",
            description = "Ignored.")
    void modules(String value) {
        ignored.add("-vmodule");
    }

    /** Says once what was not obeyed. */
    void warn(Logger log) {
        if (!ignored.isEmpty()) {
            log.warn(
                    "Ignoring {}: the log goes to standard error; --log-format and --log-level shape it",
                    String.join(", ", ignored));
        }
    }
}
