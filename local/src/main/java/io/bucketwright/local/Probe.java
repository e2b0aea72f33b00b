package io.bucketwright.local;

import io.bucketwright.local.pki.CertificateAuthority;
import io.bucketwright.local.pki.Credential;
import io.bucketwright.local.report.LocalClusterException;
import java.io.IOException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Asks servers on this machine whether they are ready: directly, whatever proxy is configured. */
final class Probe implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final HttpClient client;

    private Probe(HttpClient.Builder client) {
        this.client =
                client.proxy(ProxySelector.of(null)).connectTimeout(TIMEOUT).build();
    }

    /** For servers without TLS. */
    static Probe plain() {
        return new Probe(HttpClient.newBuilder());
    }

    /** For servers whose certificates this authority signed; sends an administrator's certificate. */
    static Probe trusting(CertificateAuthority authority) {
        Credential administrator = authority.client("bucketwright-local-probe", List.of("system:masters"));
        return new Probe(HttpClient.newBuilder()
                .sslContext(administrator.tls(authority.credential().certificate())));
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
            throw LocalClusterException.interrupted("Interrupted while waiting for " + address + ".", e);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
