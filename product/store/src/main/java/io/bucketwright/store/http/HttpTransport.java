package io.bucketwright.store.http;

import io.bucketwright.store.connection.CaBundle;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;

/** The JDK's HTTP client. It follows no redirects, so that credentials are sent only to the configured endpoints. */
public final class HttpTransport implements Transport {

    /** No page of a list that a store requests is longer. Whoever writes to a bucket chooses the names in it. */
    static final int MAX_BODY = 16 << 20;

    private final HttpClient client;
    private final Duration requestTimeout;

    public HttpTransport(TransportSettings settings) {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .connectTimeout(settings.connectTimeout())
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(new StoreProxy(settings, System.getenv()))
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                // Over plain HTTP, an upgrade to HTTP/2 costs a header in each request and is never used.
                .version(settings.endpoint().secure() ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1);
        if (!settings.caBundle().isEmpty()) {
            builder.sslContext(trusting(settings.caBundle()));
        }
        this.client = builder.build();
        this.requestTimeout = settings.requestTimeout();
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

    /** Not with the timeout of {@link HttpRequest}, which ends with the headers of the response. */
    @Override
    public HttpResponse<byte[]> send(HttpRequest request, Duration remaining) throws IOException, InterruptedException {
        Duration limit = remaining.compareTo(requestTimeout) < 0 ? remaining : requestTimeout;
        CompletableFuture<HttpResponse<byte[]>> response =
                client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BODY));
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
}
