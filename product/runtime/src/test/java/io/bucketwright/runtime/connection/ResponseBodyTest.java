package io.bucketwright.runtime.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a response ends, and whether its connection is used again. */
class ResponseBodyTest {

    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

    private final TestClient client = TestClient.open(new ManualTime(), Keepalive.standard(), _ -> {});

    @AfterEach
    void close() {
        client.close();
    }

    @ParameterizedTest(name = "{0} -> {1}, used again: {2}")
    @CsvSource(delimiter = '|', textBlock = """
            HTTP/1.1 200 OK\\r\\nContent-Length: 3\\r\\n\\r\\nabc                                      | 200 abc | true
            HTTP/1.1 200 OK\\r\\ncontent-length:3\\r\\n\\r\\nabc                                       | 200 abc | true
            HTTP/1.1 200\\r\\nContent-Length: 3\\r\\n\\r\\nabc                                         | 200 abc | true
            HTTP/1.1 200 OK\\nContent-Length: 3\\n\\nabc                                               | 200 abc | true
            HTTP/1.1 200 OK\\r\\nContent-Length: 3\\r\\nConnection: Close\\r\\n\\r\\nabc               | 200 abc | false
            HTTP/1.0 200 OK\\r\\nContent-Length: 3\\r\\n\\r\\nabc                                      | 200 abc | false
            HTTP/1.1 200 OK\\r\\nContent-Length: 3\\r\\n\\r\\nabcMORE                                  | 200 abc | false
            HTTP/1.1 204 No Content\\r\\n\\r\\n                                                        | 204     | true
            HTTP/1.1 200 OK\\r\\n\\r\\nabc                                                             | 200 abc | false
            HTTP/1.1 100 Continue\\r\\n\\r\\nHTTP/1.1 201 Created\\r\\nContent-Length: 1\\r\\n\\r\\na   | 201 a   | true
            HTTP/1.1 103 Hints\\r\\nLink: x\\r\\n\\r\\nHTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n | 200   | true
            """)
    void endsWhereItsHeadSays(String response, String body, boolean usedAgain) {
        assertAnswer(response.replace("\\r", "\r").replace("\\n", "\n"), body, usedAgain);
    }

    @Test
    void chunksMayHaveExtensionsAndTrailers() {
        assertAnswer(
                CHUNKED + "3;name=\"value\"\r\nabc\r\n00a ; x\r\n0123456789\r\n0\r\nX-Trailer: 1\r\n\r\n",
                "200 abc0123456789",
                true);
    }

    @Test
    void chunksWinOverALengthAndTheConnectionIsNotUsedAgain() {
        assertAnswer(
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
                "200 abc",
                false);
    }

    @Test
    void aLargeBodyArrivesWhole() {
        String large = "0123456789".repeat(100_000);
        assertAnswer("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + large, "200 " + large, true);
        assertAnswer(CHUNKED + "f4240\r\n" + large + "\r\n0\r\n\r\n", "200 " + large, true);
    }

    private void assertAnswer(String response, String body, boolean usedAgain) {
        ScriptedServer.Script script = peer -> {
            peer.request();
            peer.send(response);
            if (response.contains("ength:") || response.contains("chunked") || usedAgain) {
                peer.answerAll();
            }
        };
        try (ScriptedServer server = new ScriptedServer(script, ScriptedServer.Peer::answerAll)) {
            assertThat(client.post(server.url("/"), "x").strip()).isEqualTo(body);
            client.post(server.url("/"), "x");
            assertThat(server.connections()).isEqualTo(usedAgain ? 1 : 2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\n1\r\na\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length : 9\r\n\r\nabc",
                "HTTP/1.1 200 OK\r\nA: b\rContent-Length: 3\r\n\r\nabc",
                "HTTP/1.1 2000 OK\r\nContent-Length: 3\r\n\r\nabc",
                "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
                "HTTP/1.1 200 OK\r\nA: b\r\n folded\r\n\r\n",
                "HTTP/1.1 xyz OK\r\n\r\n",
                "SSH-2.0-OpenSSH_9.6\r\n\r\n",
                CHUNKED + "zz\r\nabc",
                CHUNKED + "\r\n",
                CHUNKED + "-1\r\nabc",
                CHUNKED + "0\r3\r\nabc\r\n0\r\n\r\n",
                CHUNKED + "3\r\nabcd\r\n0\r\n\r\n",
                CHUNKED + "3\r\nabc\r\n",
                CHUNKED + "3\r\nabc\r\n0\r\n",
            })
    void malformedResponsesFail(String response) {
        try (ScriptedServer server = new ScriptedServer(peer -> {
            peer.request();
            peer.send(response);
        })) {
            assertThatThrownBy(() -> client.post(server.url("/"), "x")).hasCauseInstanceOf(IOException.class);
            assertThat(server.requests()).hasSize(1);
        }
    }

    @ParameterizedTest(name = "{2}")
    @CsvSource({
        "'', X-Header: y\\r\\n, The headers of the response are longer than",
        "1;, x, A line of the response is longer than",
        "0\\r\\n, x\\r\\n, The response has too many trailers",
    })
    void whatNeverEndsHasALimit(String begin, String repeated, String failure) {
        try (ScriptedServer server = new ScriptedServer(peer -> {
            peer.request();
            peer.send(begin.isEmpty() ? "HTTP/1.1 200 OK\r\n" : CHUNKED + begin.translateEscapes());
            while (true) {
                peer.send(repeated.translateEscapes().repeat(1000));
            }
        })) {
            assertThatThrownBy(() -> client.post(server.url("/"), "x")).hasMessageContaining(failure);
        }
    }

    @Test
    void headersAreFoundWhateverTheirCase() {
        try (ScriptedServer server = new ScriptedServer(peer -> {
            peer.request();
            peer.send("HTTP/1.1 429 Too Many\r\nretry-AFTER:  7 \r\nA: 1\r\na: 2\r\nContent-Length: 0\r\n\r\n");
        })) {
            HttpResponse<byte[]> response = client.send(client.request(server.url("/")));
            assertThat(response.header("Retry-After")).isEqualTo("7");
            assertThat(response.headers("A")).containsExactly("1", "2");
            assertThat(response.headers().get("a")).containsExactly("1", "2");
        }
    }
}
