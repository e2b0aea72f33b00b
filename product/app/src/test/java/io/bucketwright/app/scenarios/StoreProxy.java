package io.bucketwright.app.scenarios;

import io.bucketwright.local.pki.CertificateAuthority;
import io.bucketwright.local.pki.Credential;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;

/** Forwards connections to a store and counts them. */
final class StoreProxy implements AutoCloseable {

    private final ServerSocket listener;
    private final String scheme;
    private final URI target;
    private final AtomicInteger connections = new AtomicInteger();

    private StoreProxy(ServerSocketFactory sockets, String scheme, String target) throws IOException {
        this.scheme = scheme;
        this.target = URI.create(target);
        this.listener = sockets.createServerSocket(0, 200, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("proxy").start(this::accept);
    }

    static StoreProxy plain(String target) throws IOException {
        return new StoreProxy(ServerSocketFactory.getDefault(), "http", target);
    }

    /** Serves TLS with a certificate of that authority, and forwards in clear. */
    static StoreProxy tls(String target, CertificateAuthority authority) throws IOException {
        Credential server = authority.server(List.of("localhost"), List.of("127.0.0.1"));
        return new StoreProxy(
                server.tls(authority.credential().certificate()).getServerSocketFactory(), "https", target);
    }

    String endpoint() {
        return scheme + "://127.0.0.1:" + port();
    }

    int port() {
        return listener.getLocalPort();
    }

    int connections() {
        return connections.get();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket caller = listener.accept();
                connections.incrementAndGet();
                Socket server = new Socket(target.getHost(), target.getPort());
                // Platform threads: a TLS socket blocks the carrier of a virtual thread.
                Thread.ofPlatform().daemon().start(() -> copy(caller, server));
                Thread.ofPlatform().daemon().start(() -> copy(server, caller));
            } catch (IOException closed) {
                // The condition of the loop shows whether this proxy was closed.
            }
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException closed) {
            // Either side may close the connection; a client does if it does not trust the certificate.
        }
    }
}
