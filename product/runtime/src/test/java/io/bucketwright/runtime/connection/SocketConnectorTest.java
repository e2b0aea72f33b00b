package io.bucketwright.runtime.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.local.pki.CertificateAuthority;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.fabric8.kubernetes.client.http.HttpClient.ProxyType;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** How a connection is established: TLS and proxies. */
class SocketConnectorTest {

    private static final CertificateAuthority AUTHORITY = CertificateAuthority.create();

    private final ManualTime time = new ManualTime();

    private static SSLContext trusting(CertificateAuthority authority) {
        return authority.client("test", List.of()).tls(authority.credential().certificate());
    }

    private static SSLContext server(String name, String... addresses) {
        return AUTHORITY
                .server(List.of(name), List.of(addresses))
                .tls(AUTHORITY.credential().certificate());
    }

    private static String answer(ScriptedServer server, SSLContext tls, String serverName) throws IOException {
        SocketConnector connector = new SocketConnector(
                ProxyType.DIRECT,
                null,
                null,
                Duration.ofSeconds(5),
                ReloadedTls.fixed(tls),
                List.of(),
                serverName.isEmpty() ? null : serverName);
        ServerAddress address = new ServerAddress(true, "127.0.0.1", server.port());
        try (HttpConnection connection = connector.open(address, ReadTimeout.none())) {
            connection.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            ResponseHead head = connection.readHead();
            return new String(ResponseBody.of(connection, "GET", head).readAll(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void theCertificateMustHaveTheNameOfTheServer() throws IOException {
        try (ScriptedServer right =
                        new ScriptedServer(server("localhost", "127.0.0.1"), ScriptedServer.Peer::answerAll);
                ScriptedServer wrong =
                        new ScriptedServer(server("other.example.org"), ScriptedServer.Peer::answerAll)) {
            assertThat(answer(right, trusting(AUTHORITY), "")).isEqualTo("ok");
            assertThatThrownBy(() -> answer(wrong, trusting(AUTHORITY), "")).isInstanceOf(SSLHandshakeException.class);
            assertThat(answer(wrong, trusting(AUTHORITY), "other.example.org")).isEqualTo("ok");
        }
    }

    @Test
    void theCertificateMustBeTrusted() {
        try (ScriptedServer server =
                new ScriptedServer(server("localhost", "127.0.0.1"), ScriptedServer.Peer::answerAll)) {
            assertThatThrownBy(() -> answer(server, trusting(CertificateAuthority.create()), ""))
                    .isInstanceOf(SSLHandshakeException.class);
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    @SuppressWarnings("try") // the server closes it while it is idle
    void aTlsConnectionThatTheServerClosedIsNotQuiet() throws IOException {
        try (ScriptedServer server = new ScriptedServer(server("localhost", "127.0.0.1"), peer -> {
            peer.answer();
            peer.awaitClosed();
        })) {
            SocketConnector connector = new SocketConnector(
                    ProxyType.DIRECT, null, null, null, ReloadedTls.fixed(trusting(AUTHORITY)), List.of(), null);
            HttpConnection connection =
                    connector.open(new ServerAddress(true, "127.0.0.1", server.port()), ReadTimeout.none());
            connection.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            ResponseBody.of(connection, "GET", connection.readHead()).readAll();
            assertThat(connection.isQuiet()).isTrue();
            server.close();
            Awaitility.await().until(() -> !connection.isQuiet());
        }
    }

    @Test
    void aServerThatNeverFinishesTheHandshakeIsLeft() {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.Peer::awaitClosed)) {
            SocketConnector connector = new SocketConnector(
                    ProxyType.DIRECT,
                    null,
                    null,
                    Duration.ofMillis(300),
                    ReloadedTls.fixed(trusting(AUTHORITY)),
                    List.of(),
                    null);
            assertThatThrownBy(() ->
                            connector.open(new ServerAddress(true, "127.0.0.1", server.port()), ReadTimeout.none()))
                    .isInstanceOf(IOException.class);
            server.awaitClosedByClient();
        }
    }

    @Test
    void allAddressesOfAServerAreTried() throws IOException {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.Peer::answerAll)) {
            InetAddress dead = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
            InetAddress alive = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            ReadTimeout limit = ReadTimeout.within(Duration.ofMinutes(1));
            try (Socket connected = SocketConnector.connected(List.of(dead, dead, alive), server.port(), limit)) {
                assertThat(connected.getInetAddress()).isEqualTo(alive);
            }
            assertThatThrownBy(() -> SocketConnector.connected(List.of(dead, dead), server.port(), limit))
                    .isInstanceOf(ConnectException.class)
                    .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
        }
    }

    @Test
    void preferencesOnlyChangeTheOrder() {
        assertThat(SocketConnector.first(List.of("c", "x"), new String[] {"a", "b", "c", "d"}))
                .containsExactly("c", "a", "b", "d");
    }

    @Test
    void anHttpProxyOpensATunnelAndOnlyItReceivesItsCredentials() {
        AtomicReference<String> connect = new AtomicReference<>("");
        AtomicReference<String> request = new AtomicReference<>("");
        try (ScriptedServer proxy = new ScriptedServer(peer -> {
                    connect.set(peer.request());
                    peer.send("HTTP/1.1 200 Connection established\r\n\r\n");
                    request.set(peer.request());
                    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                });
                TestClient client = TestClient.open(
                        time,
                        Keepalive.standard(),
                        http -> http.proxyType(ProxyType.HTTP)
                                .proxyAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port()))
                                .proxyAuthorization("Basic Zm9vOmJhcg=="))) {
            assertThat(client.get("http://api.example.org:6443/x")).isEqualTo("200 ok");
            assertThat(connect.get())
                    .startsWith("CONNECT api.example.org:6443 HTTP/1.1\r\n")
                    .contains("Proxy-Authorization: Basic Zm9vOmJhcg==\r\n");
            assertThat(request.get()).startsWith("GET /x HTTP/1.1\r\n").doesNotContain("Proxy-Authorization");
        }
    }

    @Test
    void theTextOfAConnectorHasNoCredentials() {
        SocketConnector connector = new SocketConnector(
                ProxyType.HTTP,
                InetSocketAddress.createUnresolved("proxy.example.org", 3128),
                "Basic Zm9vOmJhcg==",
                null,
                ReloadedTls.fixed(trusting(AUTHORITY)),
                List.of(),
                null);
        assertThat(connector.toString()).contains("proxy.example.org").doesNotContain("Zm9v");
    }

    @Test
    void aProxyThatRefusesIsNamed() {
        try (ScriptedServer proxy = new ScriptedServer(peer -> {
                    peer.request();
                    peer.send("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
                });
                TestClient client = TestClient.open(
                        time,
                        Keepalive.standard(),
                        http -> http.proxyAddress(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port())))) {
            assertThatThrownBy(() -> client.get("http://api.example.org:6443/"))
                    .hasMessageContaining("answered 407 to CONNECT api.example.org:6443")
                    .hasMessageContaining("no_proxy");
        }
    }

    @Test
    void aSocksProxyResolvesTheName() {
        try (ScriptedServer proxy = new ScriptedServer(peer -> {
                    // RFC 1928: the methods of the client, then its wish.
                    peer.next();
                    peer.bytes(peer.next());
                    peer.send(new byte[] {5, 0});
                    byte[] wish = peer.bytes(4);
                    assertThat(wish).containsExactly(5, 1, 0, 3);
                    assertThat(new String(peer.bytes(peer.next()), StandardCharsets.US_ASCII))
                            .isEqualTo("api.example.org");
                    peer.bytes(2);
                    peer.send(new byte[] {5, 0, 0, 1, 127, 0, 0, 1, 0, 80});
                    peer.answerAll();
                });
                TestClient client = TestClient.open(
                        time,
                        Keepalive.standard(),
                        http -> http.proxyType(ProxyType.SOCKS5)
                                .proxyAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port())))) {
            assertThat(client.get("http://api.example.org/one")).isEqualTo("200 ok");
            assertThat(client.get("http://api.example.org/two")).isEqualTo("200 ok");
            assertThat(proxy.connections()).isEqualTo(1);
        }
    }

    @Test
    void addressesAreReadFromUrls() {
        assertThat(ServerAddress.of(URI.create("https://[::1]:6443/x")).hostAndPort())
                .isEqualTo("[::1]:6443");
        assertThat(ServerAddress.of(URI.create("https://a/x")).authority()).isEqualTo("a");
        assertThat(ServerAddress.of(URI.create("https://a/x")).hostAndPort()).isEqualTo("a:443");
        assertThat(ServerAddress.of(URI.create("http://a:81/")).authority()).isEqualTo("a:81");
        assertThatThrownBy(() -> ServerAddress.of(URI.create("a:81")))
                .hasMessageContaining("Not an address of an HTTP server");
    }
}
