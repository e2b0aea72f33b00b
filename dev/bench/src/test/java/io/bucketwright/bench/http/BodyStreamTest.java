package io.bucketwright.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.bench.http.PlainConnection.BodyStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Bodies of HTTP/1.1 responses. */
class BodyStreamTest {

    @Test
    void aBodyOfKnownLengthEndsBeforeTheNextResponse() throws IOException {
        InputStream in = bytes("hello HTTP/1.1 200");
        assertThat(new BodyStream(in, 5, false)).hasContent("hello");
        assertThat(in).hasContent(" HTTP/1.1 200");
    }

    @Test
    void chunksAreJoined() throws IOException {
        InputStream in = bytes("5\r\nhello\r\n7;x=y\r\n, world\r\n0\r\n\r\nHTTP");
        assertThat(new BodyStream(in, 0, true)).hasContent("hello, world");
        assertThat(in).hasContent("HTTP");
    }

    @Test
    void aBodyThatIsCutIsAnError() {
        assertThatThrownBy(() -> new BodyStream(bytes("hel"), 5, false).readAllBytes())
                .isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> new BodyStream(bytes("5\r\nhello\r\n"), 0, true).readAllBytes())
                .isInstanceOf(EOFException.class);
    }

    @Test
    void anErrorShowsTheMessageAndNothingElseOfTheBody() {
        PlainResponse refused = new PlainResponse("GET /x", 403, "{\"message\":\"no\",\"data\":\"c2VjcmV0\"}");
        assertThatThrownBy(refused::require)
                .isInstanceOf(IOException.class)
                .hasMessage("GET /x was answered with 403: no");
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
