package io.bucketwright.store.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.bucketwright.store.connection.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HttpTransportTest {

    private final HttpServer server;
    private final URI address;
    private final HttpTransport transport;

    HttpTransportTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                long length = Long.parseLong(exchange.getRequestURI().getPath().substring(1));
                exchange.sendResponseHeaders(200, length);
                byte[] part = new byte[1 << 16];
                for (long left = length; left > 0; left -= part.length) {
                    exchange.getResponseBody().write(part, 0, (int) Math.min(left, part.length));
                }
            }
        });
        server.start();
        address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        transport = new HttpTransport(new TransportSettings(
                Endpoint.parse(address.toString()),
                Set.of(),
                "",
                "none",
                Duration.ofSeconds(60),
                Duration.ofSeconds(60)));
    }

    @AfterEach
    void stop() {
        transport.close();
        server.stop(0);
    }

    @Test
    void aBodyIsReadUpToTheLimit() throws Exception {
        assertThat(send(HttpTransport.MAX_BODY)).isEqualTo(HttpTransport.MAX_BODY);
    }

    @Test
    void aLongerBodyIsAnError() {
        assertThatThrownBy(() -> send(HttpTransport.MAX_BODY + 1L)).isInstanceOf(IOException.class);
    }

    private int send(long length) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(address.resolve("/" + length)).build();
        return transport.send(request, Duration.ofSeconds(60)).body().length;
    }
}
