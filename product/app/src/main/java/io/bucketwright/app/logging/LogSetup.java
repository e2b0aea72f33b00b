package io.bucketwright.app.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Configures logback when the first logger is created; logback finds it by its service file. By then the command line
 * has set the system properties for format and level.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {

    public static final String FORMAT = "bucketwright.log.format";
    public static final String LEVEL = "bucketwright.log.level";

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setName("console");
        // Standard output is for the result of a command.
        console.setTarget("System.err");
        console.setEncoder(LogFormat.parse(System.getProperty(FORMAT, "human")).encoder(context));
        console.start();
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(console);
        context.getLogger("io.bucketwright").setLevel(Level.toLevel(System.getProperty(LEVEL, "info"), Level.INFO));
        // They warn with a stack trace about each watch that ends and each attempt to connect again, which the caches
        // report in one sentence, and about every custom resource whose version is not "v1".
        context.getLogger("io.fabric8.kubernetes.client.informers").setLevel(Level.ERROR);
        context.getLogger("io.fabric8.kubernetes.client.dsl.internal").setLevel(Level.ERROR);
        // It warns for every connection about a TCP option that UNIX sockets do not have.
        context.getLogger("io.grpc.netty.shaded.io.netty.bootstrap").setLevel(Level.ERROR);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
