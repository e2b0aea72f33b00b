package io.bucketwright.store.gcs.rest;

import io.bucketwright.store.connection.CaBundle;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.io.IOException;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** The JDK's HTTP client. It follows no redirects, so that a token is sent only to the configured endpoints. */
public record HttpTransport(HttpClient client) implements Transport {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    /**
     * A transport for one store.
     *
     * @param endpoint the endpoint of most requests
     * @param caBundle trusted certificates in PEM format; empty for the trust store of the machine
     */
    public static HttpTransport of(Endpoint endpoint, String caBundle) {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .connectTimeout(CONNECT_TIMEOUT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(ProxySelector.getDefault())
                .executor(Executors.newVirtualThreadPerTaskExecutor());
        // Over plain HTTP, an upgrade to HTTP/2 costs a header in each request and is never used.
        builder.version(endpoint.secure() ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1);
        if (!caBundle.isEmpty()) {
            builder.sslContext(trusting(caBundle));
        }
        return new HttpTransport(builder.build());
    }

    private static SSLContext trusting(String caBundle) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, CaBundle.trustManagers(caBundle), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new Invalid("caBundle cannot be used", e);
        }
    }

    @Override
    public HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, BodyHandlers.ofByteArray());
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
