package io.bucketwright.app.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Logback finds this by its service file and asks it when the first logger is made. The command line has put format and
 * level into system properties by then.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {

    public static final String FORMAT = "bucketwright.log.format";
    public static final String LEVEL = "bucketwright.log.level";

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setName("console");
        // What a command prints on standard output is its answer, and may be piped.
        console.setTarget("System.err");
        console.setEncoder(LogFormat.parse(System.getProperty(FORMAT, "human")).encoder(context));
        console.start();
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(console);
        context.getLogger("io.bucketwright").setLevel(Level.toLevel(System.getProperty(LEVEL, "info"), Level.INFO));
        // It warns of every kind whose version is not "v1", which is every kind there is here.
        context.getLogger("io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils")
                .setLevel(Level.ERROR);
        // It warns of an option of TCP that a UNIX socket does not have, for every connection.
        context.getLogger("io.grpc.netty.shaded.io.netty.bootstrap").setLevel(Level.ERROR);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
