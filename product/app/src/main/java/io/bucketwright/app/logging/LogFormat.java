package io.bucketwright.app.logging;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import java.util.Locale;

/** Format of a log line. */
public enum LogFormat {
    /** Time, level, logger, key-value pairs, message. */
    HUMAN,
    /** One JSON object. */
    JSON;

    // Key-value pairs and the MDC (controller, key) are printed before the message.
    private static final String PATTERN = "%d{HH:mm:ss.SSS} %-5level %logger{0}%replace( %mdc){' $',''}"
            + "%replace( %kvp{NONE}){' $',''}: %msg%n%ex";

    static LogFormat parse(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    Encoder<ILoggingEvent> encoder(LoggerContext context) {
        return switch (this) {
            case HUMAN -> {
                PatternLayoutEncoder encoder = new PatternLayoutEncoder();
                encoder.setContext(context);
                encoder.setPattern(PATTERN);
                encoder.start();
                yield encoder;
            }
            case JSON -> {
                JsonEncoder encoder = new JsonEncoder();
                encoder.setContext(context);
                encoder.setWithContext(false);
                encoder.setWithSequenceNumber(false);
                encoder.setWithNanoseconds(false);
                encoder.setWithFormattedMessage(true);
                encoder.setWithMessage(false);
                encoder.setWithArguments(false);
                encoder.start();
                yield encoder;
            }
        };
    }
}
