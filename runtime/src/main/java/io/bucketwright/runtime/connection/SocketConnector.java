package io.bucketwright.runtime.connection;

import io.fabric8.kubernetes.client.http.HttpClient.ProxyType;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections, through a proxy if there is one.
 *
 * @param proxy null for none
 * @param proxyAuthorization what an HTTP proxy receives; the server never receives it
 * @param connectTimeout until TLS is established, null for no limit
 * @param protocols versions of TLS, empty for those that the JDK enables
 * @param serverName the name that the certificate must have and that is sent to the server, null for that of the address
 */
record SocketConnector(
        ProxyType proxyType,
        @Nullable InetSocketAddress proxy,
        @Nullable String proxyAuthorization,
        @Nullable Duration connectTimeout,
        SSLContext tls,
        List<String> protocols,
        @Nullable String serverName) {

    /**
     * The launcher disables the C2 compiler. Without its intrinsics, this cipher costs less CPU than AES. Only the order
     * changes: a server that does not support this cipher uses another one.
     */
    private static final List<String> FIRST_CIPHERS = List.of("TLS_CHACHA20_POLY1305_SHA256");

    private static final List<String> FIRST_GROUPS = List.of("x25519");

    HttpConnection open(ServerAddress address, ReadTimeout timeout) throws IOException {
        ReadTimeout limit = connectTimeout == null
                ? timeout
                : ReadTimeout.within(connectTimeout).and(timeout);
        Socket carrier = socket();
        try {
            carrier.setTcpNoDelay(true);
            carrier.setKeepAlive(true);
            connect(carrier, address, limit);
            return new HttpConnection(address, carrier, address.secure() ? secured(carrier, address, limit) : carrier);
        } catch (IOException | RuntimeException e) {
            carrier.close();
            throw e;
        }
    }

    private Socket socket() throws IOException {
        return switch (proxyType) {
            case DIRECT, HTTP -> SocketChannel.open().socket();
            case SOCKS4, SOCKS5 ->
                proxy == null
                        ? SocketChannel.open().socket()
                        : new Socket(new Proxy(Proxy.Type.SOCKS, resolved(proxy.getHostString(), proxy.getPort())));
        };
    }

    private void connect(Socket carrier, ServerAddress address, ReadTimeout limit) throws IOException {
        if (proxy == null || proxyType == ProxyType.DIRECT) {
            carrier.connect(resolved(address.host(), address.port()), limit.millis());
        } else if (proxyType == ProxyType.HTTP) {
            carrier.connect(resolved(proxy.getHostString(), proxy.getPort()), limit.millis());
            tunnel(carrier, address, limit);
        } else {
            // The proxy resolves the name.
            carrier.connect(InetSocketAddress.createUnresolved(address.host(), address.port()), limit.millis());
        }
    }

    private static InetSocketAddress resolved(String host, int port) throws UnknownHostException {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new UnknownHostException(host);
        }
        return address;
    }

    private void tunnel(Socket carrier, ServerAddress address, ReadTimeout limit) throws IOException {
        String target = address.hostAndPort();
        String authorization = proxyAuthorization == null ? "" : "Proxy-Authorization: " + proxyAuthorization + "\r\n";
        HttpConnection plain = new HttpConnection(address, carrier, carrier);
        plain.timeout(limit);
        plain.send(("CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n" + authorization + "\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
        int code = plain.readHead().code();
        if (code < 200 || code > 299 || plain.hasUnreadBytes()) {
            throw new IOException("The proxy " + proxy + " answered " + code + " to CONNECT " + target
                    + "; check the proxy settings, or add the host to no_proxy");
        }
    }

    private SSLSocket secured(Socket carrier, ServerAddress address, ReadTimeout limit) throws IOException {
        String name = serverName == null ? address.host() : serverName;
        SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(carrier, name, address.port(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        if (!protocols.isEmpty()) {
            parameters.setProtocols(protocols.toArray(String[]::new));
        }
        parameters.setCipherSuites(first(FIRST_CIPHERS, parameters.getCipherSuites()));
        String @Nullable [] groups = parameters.getNamedGroups();
        if (groups != null) {
            parameters.setNamedGroups(first(FIRST_GROUPS, groups));
        }
        socket.setSSLParameters(parameters);
        socket.setSoTimeout(limit.millis());
        socket.startHandshake();
        return socket;
    }

    /** Without the credentials of the proxy. */
    @Override
    public String toString() {
        return "SocketConnector[" + proxyType + " " + proxy + "]";
    }

    /** The same names, some of them moved to the front. */
    static String[] first(List<String> preferred, String[] names) {
        return Arrays.stream(names)
                .sorted(Comparator.comparing(name -> !preferred.contains(name)))
                .toArray(String[]::new);
    }
}
