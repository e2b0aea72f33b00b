package io.bucketwright.app;

import io.bucketwright.app.logging.LogFormat;
import io.bucketwright.app.logging.LogSetup;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The flags that every command has for its log. */
final class LogOptions {

    enum LogLevel {
        TRACE,
        DEBUG,
        INFO,
        WARN,
        ERROR
    }

    @Option(
            names = "--log-format",
            paramLabel = "human|json",
            scope = ScopeType.INHERIT,
            description = "What a line of the log looks like (default: human).")
    void format(LogFormat format) {
        System.setProperty(LogSetup.FORMAT, format.name());
    }

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            scope = ScopeType.INHERIT,
            description = "trace, debug, info, warn or error; of Bucketwright's own code (default: info).")
    void level(LogLevel level) {
        System.setProperty(LogSetup.LEVEL, level.name());
    }
}
