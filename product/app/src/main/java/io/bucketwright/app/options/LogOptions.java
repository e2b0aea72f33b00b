package io.bucketwright.app.options;

import io.bucketwright.app.logging.LogFormat;
import io.bucketwright.app.logging.LogSetup;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Flags of the log; every command inherits them. */
public final class LogOptions {

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
            description = "Log format (default: human).")
    void format(LogFormat format) {
        System.setProperty(LogSetup.FORMAT, format.name());
    }

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            scope = ScopeType.INHERIT,
            description = "Log level: trace, debug, info, warn or error (default: info).")
    void level(LogLevel level) {
        System.setProperty(LogSetup.LEVEL, level.name());
    }
}
