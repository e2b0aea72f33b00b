package io.bucketwright.local.server;

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
public final class Probe implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final int OK = 200;

    private final HttpClient client;

    private Probe(HttpClient.Builder client) {
        this.client =
                client.proxy(ProxySelector.of(null)).connectTimeout(TIMEOUT).build();
    }

    /** For servers without TLS. */
    public static Probe plain() {
        // Not every store takes the offer of HTTP/2 that the default would send.
        return new Probe(HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1));
    }

    /** For servers whose certificates this authority signed; sends an administrator's certificate. */
    public static Probe trusting(CertificateAuthority authority) {
        Credential administrator = authority.client("bucketwright-local-probe", List.of("system:masters"));
        return new Probe(HttpClient.newBuilder()
                .sslContext(administrator.tls(authority.credential().certificate())));
    }

    /** Whether the address answers 200 now. */
    public boolean ok(String address) {
        return status(address) == OK;
    }

    /** The status of the answer at the address now; 0 if nothing answers. */
    public int status(String address) {
        return send(HttpRequest.newBuilder(URI.create(address)))
                .map(HttpResponse::statusCode)
                .orElse(0);
    }

    /** What the address answers, if it answers 200. */
    public Optional<String> body(String address) {
        return send(HttpRequest.newBuilder(URI.create(address)))
                .filter(response -> response.statusCode() == OK)
                .map(HttpResponse::body);
    }

    /** Sends a form with these headers, in pairs of name and value, and returns the body if the answer is 200. */
    public Optional<String> post(String address, String form, String... headers) {
        return send(HttpRequest.newBuilder(URI.create(address))
                        .headers(headers)
                        .POST(HttpRequest.BodyPublishers.ofString(form)))
                .filter(response -> response.statusCode() == OK)
                .map(HttpResponse::body);
    }

    private Optional<HttpResponse<String>> send(HttpRequest.Builder request) {
        HttpRequest built = request.timeout(TIMEOUT).build();
        try {
            return Optional.of(client.send(built, HttpResponse.BodyHandlers.ofString()));
        } catch (IOException notYet) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw LocalClusterException.interrupted("Interrupted while waiting for " + built.uri() + ".", e);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
