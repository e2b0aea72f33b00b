package io.bucketwright.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.json.LenientValues;
import io.bucketwright.runtime.json.ObjectDecoder;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ListDecoderTest {

    private static final int SECRETS = 20;

    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger decoded = new AtomicInteger();

    @Test
    void ofAPageOfLargeObjectsOneIsInMemoryAtATime() throws IOException {
        ObjectDecoder<Secret> decoder = new ObjectDecoder<>(LenientValues.mapper(), Secret.class);
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

    private InputStream largeSecrets() {
        String data = "QUFB".repeat(25_000);
        Stream<String> secrets = IntStream.rangeClosed(1, SECRETS).mapToObj(number -> {
            sent.incrementAndGet();
            return (number == 1 ? "" : ",") + "{\"metadata\":{\"name\":\"s" + number + "\"},\"data\":{\"k\":\"" + data
                    + "\"}}";
        });
        String head = "{\"kind\":\"SecretList\",\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[";
        return new LazyStream(Stream.concat(Stream.concat(Stream.of(head), secrets), Stream.of("]}\n"))
                .iterator());
    }

    /** Takes each part when the former one has been read. */
    private static final class LazyStream extends InputStream {

        private final Iterator<String> parts;
        private ByteBuffer part = ByteBuffer.allocate(0);

        LazyStream(Iterator<String> parts) {
            this.parts = parts;
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0];
        }

        @Override
        public int read(byte[] into, int from, int most) {
            if (!part.hasRemaining()) {
                if (!parts.hasNext()) {
                    return -1;
                }
                part = ByteBuffer.wrap(parts.next().getBytes(StandardCharsets.UTF_8));
            }
            int count = Math.min(most, part.remaining());
            part.get(into, from, count);
            return count;
        }
    }
}
