package io.bucketwright.testing.gcs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A strict server with the JSON and XML APIs of Cloud Storage, the IAM API, the OAuth token endpoint and the metadata server,
 * on one port of the loopback interface. The administrator is a service account with permissions that tests can take away.
 */
public final class GcsServer implements AutoCloseable {

    public static final String PROJECT = "strict-project";

    private static final String ADMINISTRATOR = "bucketwright@" + PROJECT + ".iam.gserviceaccount.com";

    private final HttpServer server;
    /** Threads of the platform: the clients of a test may occupy those that carry virtual ones. */
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private final GcsState state = new GcsState(PROJECT, ADMINISTRATOR);
    private final List<String> requests = new ArrayList<>();
    private final AtomicReference<Function<String, Optional<GcsResponse>>> fault =
            new AtomicReference<>(_ -> Optional.empty());
    private final String administratorKey;
    private final StorageApi storage = new StorageApi(state);
    private final HmacApi hmac = new HmacApi(state);
    private final XmlApi xml = new XmlApi(state, storage);
    private final IamApi iam;
    private final TokenApi tokens;

    private GcsServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        AccountKeyPairs pairs = new AccountKeyPairs(tokenUri());
        iam = new IamApi(state, pairs);
        tokens = new TokenApi(state, tokenUri());
        GcsAccount administrator = new GcsAccount(ADMINISTRATOR, "100", "Administrator", "");
        state.accounts.put(ADMINISTRATOR, administrator);
        administratorKey = pairs.issue(state, administrator);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
    }

    public static GcsServer start() {
        try {
            GcsServer started = new GcsServer();
            started.server.start();
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The URL of the server, which is the endpoint of all APIs. */
    public String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The class parameters for a store on this server. */
    public Map<String, String> parameters() {
        return Map.of("endpoint", endpoint(), "iamEndpoint", endpoint(), "metadataEndpoint", endpoint());
    }

    /** The credentials file of the administrator. */
    public String administratorKey() {
        return administratorKey;
    }

    /** Replaces responses, by the method and the path of a request. The request then takes no effect. */
    public void setFault(Function<String, Optional<GcsResponse>> newFault) {
        fault.set(newFault);
    }

    /** Takes a permission from the administrator, or gives all back. */
    public void deny(Set<String> permissions) {
        synchronized (state) {
            state.deniedPermissions.clear();
            state.deniedPermissions.addAll(permissions);
        }
    }

    /** All permissions that the administrator has needed so far. */
    public Set<String> usedPermissions() {
        synchronized (state) {
            return new TreeSet<>(state.usedPermissions);
        }
    }

    /** Lets Cloud Storage see new service accounts only after so many requests about them. */
    public void showNewAccountsAfter(int number) {
        synchronized (state) {
            state.newAccountsInvisibleFor = number;
        }
    }

    /** Limits the number of service accounts of the project, beside the administrator's; existing ones stay. */
    public void limitAccounts(int number) {
        synchronized (state) {
            state.mostAccounts = number;
        }
    }

    /** From now on a policy of the organization prevents roles for everybody. */
    public void preventPublicAccess() {
        synchronized (state) {
            state.publicAccessPrevented = true;
        }
    }

    /** The method and path of each request so far. */
    public List<String> requests() {
        synchronized (state) {
            return List.copyOf(requests);
        }
    }

    /** The addresses of all service accounts, without the administrator's. */
    public Set<String> accounts() {
        synchronized (state) {
            Set<String> accounts = new TreeSet<>(state.accounts.keySet());
            accounts.remove(ADMINISTRATOR);
            return accounts;
        }
    }

    /** The names of all buckets. */
    public Set<String> buckets() {
        synchronized (state) {
            return new TreeSet<>(state.buckets.keySet());
        }
    }

    /** The IAM policy of a bucket as JSON text. */
    public String bindings(String bucket) {
        synchronized (state) {
            return state.bucket(bucket).bindings.toString();
        }
    }

    /** Deletes an object so that it can be restored, or, without a name, lets the time pass in which it can be. */
    public void setSoftDeleted(String bucket, Set<String> names) {
        synchronized (state) {
            state.bucket(bucket).softDeleted.clear();
            state.bucket(bucket).softDeleted.addAll(names);
        }
    }

    /** Starts a multipart upload and leaves it incomplete. */
    public void addUpload(String bucket, String key) {
        synchronized (state) {
            state.bucket(bucket).uploads.put(state.randomText(12), key);
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            GcsRequest request = GcsRequest.of(exchange);
            String name = request.method() + " " + request.rawPath();
            Optional<GcsResponse> failure = fault.get().apply(name);
            GcsResponse response = failure.isPresent() ? failure.get() : respond(name, request);
            response.headers().forEach(exchange.getResponseHeaders()::set);
            exchange.getResponseHeaders().set("Content-Type", response.contentType());
            // The server closes connections when more than 200 are idle, and a client may be about to use one of them.
            exchange.getResponseHeaders().set("Connection", "close");
            byte[] bytes = response.body().getBytes(StandardCharsets.ISO_8859_1);
            exchange.sendResponseHeaders(response.status(), bytes.length == 0 ? -1 : bytes.length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(bytes);
            }
        }
    }

    private GcsResponse respond(String name, GcsRequest request) {
        synchronized (state) {
            requests.add(name);
            try {
                return dispatch(request);
            } catch (GcsProblem problem) {
                return GcsResponse.error(problem);
            }
        }
    }

    private GcsResponse dispatch(GcsRequest request) {
        String path = request.rawPath();
        if (path.equals("/token")) {
            return tokens.exchange(request);
        }
        if (path.startsWith("/computeMetadata/")) {
            return tokens.metadata(request);
        }
        if (path.startsWith("/v1/")) {
            return iam.handle(request);
        }
        if (path.startsWith("/storage/v1/projects/")) {
            return hmac.handle(request);
        }
        if (path.startsWith("/upload/storage/v1/b/") || path.startsWith("/download/storage/v1/b/")) {
            return storage.handle(request.withoutFirst());
        }
        return path.startsWith("/storage/v1/b") ? storage.handle(request) : xml.handle(request);
    }

    private String tokenUri() {
        return endpoint() + "/token";
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    /** Resolves a server that all tests of a JVM share, as a parameter of tests. */
    public static final class Provider implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == GcsServer.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.create(GcsServer.class))
                    .computeIfAbsent(GcsServer.class, _ -> GcsServer.start(), GcsServer.class);
        }
    }
}
