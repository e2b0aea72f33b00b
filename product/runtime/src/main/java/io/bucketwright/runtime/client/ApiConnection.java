package io.bucketwright.runtime.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.connection.BlockingClientFactory;
import io.bucketwright.runtime.json.JsonCodec;
import io.bucketwright.runtime.json.LenientValues;
import io.bucketwright.runtime.json.ObjectDecoder;
import io.bucketwright.runtime.keepalive.ConnectionMonitor;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.bucketwright.runtime.keepalive.ServerActivity;
import io.bucketwright.runtime.keepalive.TrackedWatch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One connection to one API server, shared by everything in the process. By itself it only reads. */
public final class ApiConnection implements AutoCloseable {

    /** Of all requests. The API server records it as the manager of the fields that a write sets. */
    public static final String USER_AGENT = "bucketwright";

    /** No act may hold a worker for long; a server that needs longer for one object is not healthy. */
    private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(5);

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final ConnectionMonitor monitor;
    private final Config config;
    private final HttpClient http;
    private final RequestMetrics accounting;
    private final ThrottleGate throttle;
    private final ObjectMapper mapper = LenientValues.mapper();
    private final JsonCodec json = new JsonCodec(mapper);

    /**
     * Prepares a connection; nothing is sent yet.
     *
     * @param config belongs to the connection from here on
     * @param keepalive when a silent connection is given up
     * @param wrap wraps the HTTP client into another, which sees each request last
     */
    public ApiConnection(
            Config config,
            Keepalive keepalive,
            TimeSource time,
            MeterRegistry meters,
            UnaryOperator<HttpClient.Factory> wrap) {
        monitor = new ConnectionMonitor(keepalive, time, executor);
        accounting = new RequestMetrics(meters, URI.create(config.getMasterUrl()));
        throttle = new ThrottleGate(time, new SecureRandom());
        this.config = config;
        config.setUserAgent(USER_AGENT);
        HttpClient.Factory factory = wrap.apply(new BlockingClientFactory(monitor, executor));
        // Not a KubernetesClient: it loads the operations of all kinds of Kubernetes, and nobody here uses them.
        HttpClient.Builder builder = factory.newBuilder(config);
        if (isLoopback(config.getMasterUrl())) {
            builder.proxyType(HttpClient.ProxyType.DIRECT);
        }
        http = builder.addOrReplaceInterceptor(TokenRenewal.NAME, new TokenRenewal(config, factory, time, executor))
                .addOrReplaceInterceptor("BUCKETWRIGHT-ACCOUNTING", accounting)
                .addOrReplaceInterceptor(FenceInterceptor.NAME, new FenceInterceptor(Leadership.never()))
                .build();
        monitor.start();
    }

    /** The address of the API server. */
    public String url() {
        return config.getMasterUrl();
    }

    /** When the API server was last heard. */
    public ServerActivity activity() {
        return monitor.activity();
    }

    /**
     * Requests the version of the API server once.
     *
     * @return the HTTP status of the response, such as 401 if the server rejects the credentials
     * @throws IOException if there is no response
     */
    public int requestVersion(Duration timeout) throws IOException {
        return get("version", timeout);
    }

    /**
     * Whether the API server serves this version of an API group. Sends one request.
     *
     * @throws IOException if there is no response, or one that does not say it
     */
    public boolean serves(String group, String version, Duration timeout) throws IOException {
        String path = "apis/" + group + "/" + version;
        int code = get(path, timeout);
        return switch (code) {
            case HttpURLConnection.HTTP_OK -> true;
            case HttpURLConnection.HTTP_NOT_FOUND -> false;
            default -> throw new IOException("The API server answered " + code + " to GET /" + path);
        };
    }

    private int get(String path, Duration timeout) throws IOException {
        HttpClient client = once().build();
        HttpRequest request = client.newHttpRequestBuilder()
                .uri(url() + path)
                .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .build();
        try {
            return client.sendAsync(request, byte[].class)
                    .get(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .code();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for the response");
        } catch (TimeoutException e) {
            throw new IOException("no response within " + timeout.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            @Nullable Throwable cause = e.getCause();
            throw new IOException(cause == null ? e : cause);
        }
    }

    /** For the lists and watches of one informer. */
    public ListWatchTransport lists() {
        TrackedWatch watch = activity().track();
        return new ListWatchTransport(
                once().tag(watch).build(),
                url(),
                json,
                accounting,
                Duration.ofMillis(config.getRequestTimeout()),
                watch);
    }

    /** Decodes objects of this class. */
    public <T extends HasMetadata> ObjectDecoder<T> decoder(Class<T> type) {
        return new ObjectDecoder<>(mapper, type);
    }

    /** For reading single objects, one request each. */
    public ObjectReader objects() {
        return new ObjectReader(transport(Leadership.never(), WRITE_TIMEOUT, throttle));
    }

    /** For changes, as long as the leadership lasts. */
    public ApiWriter writer(Leadership leadership, WriteListener listener) {
        return new ApiWriter(transport(leadership, WRITE_TIMEOUT, throttle), listener);
    }

    /** For the Lease of leader election. The throttle gate never holds it back: a late renewal loses leadership. */
    public LeaseClient leases(Duration timeout) {
        Transport transport = transport(Leadership.always(), timeout, null);
        return new LeaseClient(new ObjectReader(transport), new ApiWriter(transport, new WriteListener() {}));
    }

    /** For events, which nothing waits for. */
    public EventSink events(Leadership leadership) {
        return new EventClient(transport(leadership, WRITE_TIMEOUT, throttle));
    }

    @Override
    public void close() {
        monitor.close();
        http.close();
        executor.shutdownNow();
    }

    private Transport transport(Leadership leadership, Duration timeout, @Nullable ThrottleGate gate) {
        HttpClient fenced = once().addOrReplaceInterceptor(FenceInterceptor.NAME, new FenceInterceptor(leadership))
                .build();
        return new HttpTransport(fenced, url(), json, accounting, timeout, leadership, gate);
    }

    /**
     * A client that never repeats a request. fabric8 repeats a failed one in a timer thread; a fence that closes meanwhile
     * would throw there, and the caller would wait for ever.
     */
    private HttpClient.DerivedClientBuilder once() {
        RequestConfig once = new RequestConfigBuilder(config.getRequestConfig())
                .withRequestRetryBackoffLimit(0)
                .build();
        return http.newBuilder().tag(once);
    }

    /** A proxy configured for the world outside must not see, or break, requests to this machine. */
    static boolean isLoopback(String url) {
        String host = URI.create(url).getHost();
        if (host == null) {
            return false;
        }
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        boolean literal = bare.contains(":") || bare.chars().allMatch(c -> c == '.' || Character.isDigit(c));
        try {
            return bare.equals("localhost")
                    || (literal && InetAddress.getByName(bare).isLoopbackAddress());
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
