package io.bucketwright.store.azure;

import io.bucketwright.store.connection.CaBundle;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;

/** Sends requests with the HTTP client of the JDK, which reuses connections. */
final class HttpTransport implements AzureTransport {

    private final HttpClient client;
    private final Duration requestTimeout;

    HttpTransport(AzureParameters parameters) {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(Version.HTTP_1_1)
                .followRedirects(Redirect.NEVER)
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .connectTimeout(parameters.connectTimeout());
        Optional<Endpoint> proxy = ProxyServer.find(parameters.proxy(), parameters.endpoint(), System.getenv());
        // Never the JDK's own choice, which has other variables.
        builder.proxy(proxy.map(server -> ProxySelector.of(new InetSocketAddress(server.host(), server.port())))
                .orElse(HttpClient.Builder.NO_PROXY));
        if (!parameters.caBundle().isEmpty()) {
            builder.sslContext(trusting(parameters.caBundle()));
        }
        this.client = builder.build();
        this.requestTimeout = parameters.requestTimeout();
    }

    /** Not with the timeout of {@link HttpRequest}, which ends with the headers of the response. */
    @Override
    public HttpResponse<byte[]> send(HttpRequest request, Duration timeout) throws IOException, InterruptedException {
        Duration limit = timeout.compareTo(requestTimeout) < 0 ? timeout : requestTimeout;
        CompletableFuture<HttpResponse<byte[]>> response = client.sendAsync(request, BodyHandlers.ofByteArray());
        try {
            return response.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new HttpTimeoutException("no response within " + limit.toMillis() + " ms");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failed ? failed : new IOException(e.getCause());
        } finally {
            response.cancel(true);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
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
}
