package io.bucketwright.app.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class LogFormatTest {

    private final LoggerContext context = new LoggerContext();

    @Test
    void jsonIsOneObjectALineWithWhatItIsAbout() throws IOException {
        String line = encode(LogFormat.JSON);

        assertThat(line.trim().lines()).hasSize(1);
        JsonNode entry = new ObjectMapper().readTree(line);
        assertThat(entry.path("level").asText()).isEqualTo("WARN");
        assertThat(entry.path("formattedMessage").asText()).isEqualTo("the bucket photos is taken");
        assertThat(entry.path("mdc").path("controller").asText()).isEqualTo("claims");
        assertThat(entry.path("kvpList").get(0).path("reason").asText()).isEqualTo("Taken");
        assertThat(entry.path("timestamp").isNumber()).isTrue();
    }

    @Test
    void humanIsOneReadableLineWithTheSame() {
        assertThat(encode(LogFormat.HUMAN))
                .matches(
                        "\\d\\d:\\d\\d:\\d\\d\\.\\d{3} WARN  Claims controller=claims reason=Taken: the bucket photos is taken\\R");
    }

    @Test
    void humanSaysNothingWhereThereIsNothingToSay() {
        LoggingEvent event = event();
        event.setMDCPropertyMap(Map.of());
        assertThat(new String(LogFormat.HUMAN.encoder(context).encode(event), StandardCharsets.UTF_8))
                .matches("[\\d:.]+ WARN  Claims: the bucket photos is taken\\R");
    }

    private String encode(LogFormat format) {
        LoggingEvent event = event();
        event.setMDCPropertyMap(Map.of("controller", "claims"));
        event.addKeyValuePair(new KeyValuePair("reason", "Taken"));
        return new String(format.encoder(context).encode(event), StandardCharsets.UTF_8);
    }

    private LoggingEvent event() {
        return new LoggingEvent(
                "",
                context.getLogger("io.bucketwright.Claims"),
                Level.WARN,
                "the bucket {} is taken",
                null,
                new Object[] {"photos"});
    }
}
