package io.bucketwright.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Everything that Bucketwright logs at any level, until it is closed. */
public final class CapturedLog implements AutoCloseable {

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.bucketwright");
    private final @Nullable Level level = logger.getLevel();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    public CapturedLog() {
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.TRACE);
    }

    /** All lines up to now, with the messages of exceptions. */
    public String text() {
        return List.copyOf(lines.list).stream()
                .map(line -> line.getFormattedMessage()
                        + (line.getThrowableProxy() == null
                                ? ""
                                : " " + line.getThrowableProxy().getMessage()))
                .collect(Collectors.joining("\n"));
    }

    /** Lines up to now that were logged with a stack trace. */
    public List<String> stackTraces() {
        return List.copyOf(lines.list).stream()
                .filter(line -> line.getThrowableProxy() != null)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(lines);
        logger.setLevel(level);
    }
}
