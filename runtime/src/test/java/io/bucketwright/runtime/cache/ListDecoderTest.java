package io.bucketwright.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.SystemTime;
import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.runtime.client.ObjectDecoder;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ListDecoderTest {

    private static final int SECRETS = 20;

    private final SystemTime time = new SystemTime();
    private final ApiConnection connection = new ApiConnection(
            new ConfigBuilder(Config.empty())
                    .withAutoConfigure(false)
                    .withMasterUrl("http://127.0.0.1:9")
                    .build(),
            Keepalive.standard(),
            time,
            new SimpleMeterRegistry(),
            UnaryOperator.identity());
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger decoded = new AtomicInteger();

    @AfterEach
    void close() {
        connection.close();
        time.close();
    }

    @Test
    void ofAPageOfLargeObjectsOneIsInMemoryAtATime() throws IOException {
        ObjectDecoder<Secret> decoder = connection.decoder(Secret.class);
        ListDecoder<Secret> pages = new ListDecoder<>(decoder, new LenientObjects<>("secrets", decoder));
        ListDecoder.Page page = pages.read(largeSecrets(), secret -> {
            assertThat(secret.getMetadata().getName()).isEqualTo("s" + decoded.incrementAndGet());
            assertThat(sent.get() - decoded.get())
                    .as("objects received and not decoded")
                    .isLessThanOrEqualTo(1);
        });
        assertThat(page).isEqualTo(new ListDecoder.Page("7", ""));
        assertThat(decoded).hasValue(SECRETS);
    }

    /** Counts each Secret when its first byte is read. */
    private InputStream largeSecrets() {
        String data = "QUFB".repeat(25_000);
        Enumeration<InputStream> secrets = Collections.enumeration(IntStream.rangeClosed(1, SECRETS)
                .mapToObj(number -> stream((number == 1 ? "" : ",") + "{\"metadata\":{\"name\":\"s" + number
                        + "\"},\"data\":{\"k\":\"" + data + "\"}}"))
                .toList());
        Enumeration<InputStream> counted = new Enumeration<>() {
            @Override
            public boolean hasMoreElements() {
                return secrets.hasMoreElements();
            }

            @Override
            public InputStream nextElement() {
                sent.incrementAndGet();
                return secrets.nextElement();
            }
        };
        String head = "{\"kind\":\"SecretList\",\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[";
        return new SequenceInputStream(
                new SequenceInputStream(stream(head), new SequenceInputStream(counted)), stream("]}\n"));
    }

    private static InputStream stream(String json) {
        return new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8));
    }
}
