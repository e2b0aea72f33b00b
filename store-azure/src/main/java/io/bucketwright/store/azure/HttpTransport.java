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
import java.util.Locale;
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
        if (parameters.proxy().isPresent()) {
            Endpoint proxy = parameters.proxy().get();
            builder.proxy(ProxySelector.of(new InetSocketAddress(proxy.host(), proxy.port())));
        } else if (isLoopback(parameters.endpoint().host())) {
            // The proxy of this process cannot reach its loopback address.
            builder.proxy(HttpClient.Builder.NO_PROXY);
        }
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

    private static boolean isLoopback(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        return lower.equals("localhost") || lower.equals("[::1]") || lower.matches("127\\.\\d+\\.\\d+\\.\\d+");
    }
}
