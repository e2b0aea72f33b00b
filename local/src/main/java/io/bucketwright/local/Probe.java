package io.bucketwright.local;

import io.bucketwright.local.report.LocalClusterException;

import io.bucketwright.local.pki.CertificateAuthority;
import io.bucketwright.local.pki.Credential;
import java.io.IOException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Asks the servers of a cluster how they are: directly, past any proxy, and over TLS only as its own authority vouches. */
final class Probe implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final HttpClient client;

    Probe(CertificateAuthority authority) {
        Credential administrator = authority.client("bucketwright-local-probe", List.of("system:masters"));
        this.client = HttpClient.newBuilder()
                .proxy(ProxySelector.of(null))
                .connectTimeout(TIMEOUT)
                .sslContext(tls(administrator, authority.certificate()))
                .build();
    }

    /** Whether the address answers 200 now. */
    boolean ok(String address) {
        return body(address).isPresent();
    }

    /** What the address answers, if it answers 200. */
    Optional<String> body(String address) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(address)).timeout(TIMEOUT).build();
        try {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            return response.statusCode() == 200 ? Optional.of(response.body()) : Optional.empty();
        } catch (IOException notYet) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LocalClusterException("Interrupted while waiting for " + address + ".", e);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    private static SSLContext tls(Credential client, X509Certificate authority) {
        try {
            char[] password = new char[0];
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, password);
            store.setCertificateEntry("authority", authority);
            store.setKeyEntry("client", client.key(), password, new Certificate[] {client.certificate()});
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, password);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this JVM cannot speak TLS", e);
        }
    }
}
