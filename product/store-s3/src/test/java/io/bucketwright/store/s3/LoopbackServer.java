package io.bucketwright.store.s3;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.connection.SecretValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/** An HTTP server on a free port of this machine, whose responses a test writes. */
public final class LoopbackServer implements AutoCloseable {

    private final HttpServer server;

    public LoopbackServer(HttpHandler handler) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", handler);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + port();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** A store at this server, unless the parameters have another endpoint. */
    public CompleteStore open(Map<String, String> parameters) {
        return open(url(), parameters);
    }

    static CompleteStore open(String endpoint, Map<String, String> parameters, ExecutionInterceptor... interceptors) {
        Map<String, String> all = new HashMap<>(Map.of("endpoint", endpoint));
        all.putAll(parameters);
        S3StoreFactory factory = new S3StoreFactory();
        return factory.open(factory.parameters().parse(all), administrator(), List.of(interceptors));
    }

    public static AdministratorSecret administrator() {
        return new AdministratorSecret(
                Map.of("accessKeyId", SecretValue.of("id"), "secretAccessKey", SecretValue.of("secret")));
    }

    /** Responds with XML or JSON, or with an empty body. */
    public static void respond(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/xml");
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
