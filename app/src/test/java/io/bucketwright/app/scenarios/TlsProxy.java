package io.bucketwright.app.scenarios;

import io.bucketwright.local.pki.CertificateAuthority;
import io.bucketwright.local.pki.Credential;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/** Speaks TLS to whoever comes, with a certificate of that authority, and passes the words on to a server in clear. */
final class TlsProxy implements AutoCloseable {

    private final SSLServerSocket door;
    private final URI target;

    TlsProxy(String target, CertificateAuthority authority) throws IOException, GeneralSecurityException {
        this.target = URI.create(target);
        this.door = (SSLServerSocket) context(authority)
                .getServerSocketFactory()
                .createServerSocket(0, 200, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("tls-relay").start(this::accept);
    }

    String endpoint() {
        return "https://127.0.0.1:" + door.getLocalPort();
    }

    int port() {
        return door.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        door.close();
    }

    private static SSLContext context(CertificateAuthority authority) throws IOException, GeneralSecurityException {
        Credential server = authority.server(List.of("localhost"), List.of("127.0.0.1"));
        char[] password = "only in memory".toCharArray();
        KeyStore keys = KeyStore.getInstance(KeyStore.getDefaultType());
        keys.load(null, null);
        keys.setKeyEntry("server", server.key(), password, new X509Certificate[] {server.certificate()});
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                Socket caller = door.accept();
                Socket server = new Socket(target.getHost(), target.getPort());
                Thread.ofPlatform().daemon().start(() -> copy(caller, server));
                Thread.ofPlatform().daemon().start(() -> copy(server, caller));
            } catch (IOException closed) {
                // The loop's condition tells whether it was us.
            }
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException closed) {
            // Either side may hang up, and does if it does not trust us.
        }
    }
}
