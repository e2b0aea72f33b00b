package io.bucketwright.runtime.connection;

import io.fabric8.kubernetes.client.http.HttpClient.ProxyType;
import java.io.IOException;
import java.net.InetAddress;
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
 * @param tls of new connections
 * @param protocols versions of TLS, empty for those that the JDK enables
 * @param serverName the name that the certificate must have and that is sent to the server, null for that of the address
 */
record SocketConnector(
        ProxyType proxyType,
        @Nullable InetSocketAddress proxy,
        @Nullable String proxyAuthorization,
        @Nullable Duration connectTimeout,
        ReloadedTls tls,
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
        SSLContext context = tls.current();
        Socket carrier = connected(address, limit);
        try {
            carrier.setTcpNoDelay(true);
            carrier.setKeepAlive(true);
            if (proxy != null && proxyType == ProxyType.HTTP) {
                tunnel(carrier, address, context, limit);
            }
            Socket socket = address.secure() ? secured(carrier, address, context, limit) : carrier;
            return new HttpConnection(address, context, carrier, socket);
        } catch (IOException | RuntimeException e) {
            carrier.close();
            throw e;
        }
    }

    private Socket connected(ServerAddress address, ReadTimeout limit) throws IOException {
        if (proxy == null || proxyType == ProxyType.DIRECT) {
            return connected(List.of(InetAddress.getAllByName(address.host())), address.port(), limit);
        }
        List<InetAddress> proxies = List.of(InetAddress.getAllByName(proxy.getHostString()));
        if (proxyType == ProxyType.HTTP) {
            return connected(proxies, proxy.getPort(), limit);
        }
        Socket carrier =
                new Socket(new Proxy(Proxy.Type.SOCKS, new InetSocketAddress(proxies.getFirst(), proxy.getPort())));
        try {
            // The proxy resolves the name.
            carrier.connect(InetSocketAddress.createUnresolved(address.host(), address.port()), limit.millis());
            return carrier;
        } catch (IOException | RuntimeException e) {
            carrier.close();
            throw e;
        }
    }

    /** A connection to the first address that answers. Each gets its part of the time that is left. */
    static Socket connected(List<InetAddress> addresses, int port, ReadTimeout limit) throws IOException {
        @Nullable IOException failure = null;
        for (int i = 0; i < addresses.size(); i++) {
            int left = limit.millis();
            Socket carrier = SocketChannel.open().socket();
            try {
                carrier.connect(
                        new InetSocketAddress(addresses.get(i), port),
                        left == 0 ? 0 : Math.max(1, left / (addresses.size() - i)));
                return carrier;
            } catch (IOException | RuntimeException e) {
                carrier.close();
                if (!(e instanceof IOException next)) {
                    throw e;
                }
                if (failure == null) {
                    failure = next;
                } else {
                    failure.addSuppressed(next);
                }
            }
        }
        throw failure == null ? new UnknownHostException("no address") : failure;
    }

    private void tunnel(Socket carrier, ServerAddress address, SSLContext context, ReadTimeout limit)
            throws IOException {
        String target = address.hostAndPort();
        String authorization = proxyAuthorization == null ? "" : "Proxy-Authorization: " + proxyAuthorization + "\r\n";
        HttpConnection plain = new HttpConnection(address, context, carrier, carrier);
        plain.timeout(limit);
        plain.send(("CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n" + authorization + "\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
        int code = plain.readHead().code();
        if (code < 200 || code > 299 || plain.hasUnreadBytes()) {
            throw new IOException("The proxy " + proxy + " answered " + code + " to CONNECT " + target
                    + "; check the proxy settings, or add the host to no_proxy");
        }
    }

    private SSLSocket secured(Socket carrier, ServerAddress address, SSLContext context, ReadTimeout limit)
            throws IOException {
        String name = serverName == null ? address.host() : serverName;
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(carrier, name, address.port(), true);
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
