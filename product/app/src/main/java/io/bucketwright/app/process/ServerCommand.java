package io.bucketwright.app.process;

import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.CommandException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** A command that runs until it receives SIGTERM or SIGINT. */
public abstract class ServerCommand extends BaseCommand {

    /**
     * A running server.
     *
     * @param description fields of the log line that reports the start
     * @param close finishes in-flight work and stops
     */
    public record Server(Map<String, ?> description, Runnable close) {}

    /**
     * Starts the server and returns.
     *
     * @throws UncheckedIOException if an address cannot be bound; its message is printed
     */
    protected abstract Server start(Logger log) throws InterruptedException;

    @Override
    public final Integer call() throws InterruptedException {
        // Not a field: a logger that is created before the flags are parsed would fix the log format.
        Logger log = LoggerFactory.getLogger(getClass());
        Server server = startOrFail(log);
        CountDownLatch stopped = closeOnShutdown(server);
        LoggingEventBuilder line = log.atInfo();
        for (Map.Entry<String, ?> field : server.description().entrySet()) {
            line = line.addKeyValue(field.getKey(), field.getValue());
        }
        line.log("Started");
        HeapTrim.start();
        stopped.await();
        return 0;
    }

    private Server startOrFail(Logger log) throws InterruptedException {
        try {
            return start(log);
        } catch (UncheckedIOException e) {
            throw new CommandException(e.getMessage() + ".", e);
        }
    }

    private static CountDownLatch closeOnShutdown(Server server) {
        CountDownLatch stopped = new CountDownLatch(1);
        Runnable shutdown = () -> {
            server.close().run();
            // No interrupt: it could reach the waiting thread first and look like an error.
            stopped.countDown();
        };
        Runtime.getRuntime().addShutdownHook(new Thread(shutdown, "shutdown"));
        return stopped;
    }
}
