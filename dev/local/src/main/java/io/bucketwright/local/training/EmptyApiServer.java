package io.bucketwright.local.training;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.bucketwright.local.pki.CertificateAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An API server on loopback with hardly any object: lists have one or none, watches are silent, and what is written is
 * returned and forgotten. It is not a test double: it exists only so that the training run has something to connect to.
 */
final class EmptyApiServer {

    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int NOT_FOUND = 404;
    private static final List<String> READ =
            List.of("/objectbucketclaims", "/objectbuckets", "/secrets", "/configmaps", "/storageclasses");

    private final ObjectMapper json = new ObjectMapper();
    private final CertificateAuthority authority = CertificateAuthority.create();
    private final AtomicReference<Instant> lastRequest = new AtomicReference<>(Instant.now());
    private final AtomicBoolean watched = new AtomicBoolean();
    private final HttpsServer server;

    private EmptyApiServer(HttpsServer server) {
        this.server = server;
    }

    static EmptyApiServer start() throws IOException {
        EmptyApiServer empty =
                new EmptyApiServer(HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
        empty.server.setHttpsConfigurator(new HttpsConfigurator(empty.authority
                .server(List.of("localhost"), List.of("127.0.0.1"))
                .tls(empty.authority.credential().certificate())));
        empty.server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        empty.server.createContext("/", empty::handle);
        empty.server.start();
        return empty;
    }

    String kubeconfig() {
        return authority.kubeconfig(
                "https://127.0.0.1:" + server.getAddress().getPort(), "training", List.of("system:masters"));
    }

    /** Returns if somebody watches and no request but for Leases came for that time, at the latest after the limit. */
    void awaitQuiet(Duration quiet, Duration limit) {
        Instant end = Instant.now().plus(limit);
        while (Instant.now().isBefore(end)
                && (!watched.get() || lastRequest.get().plus(quiet).isAfter(Instant.now()))) {
            try {
                Thread.sleep(quiet.dividedBy(4));
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        // Leaders renew their Leases as often as awaitQuiet waits.
        if (!path.contains("/leases")) {
            lastRequest.set(Instant.now());
        }
        String query = String.valueOf(exchange.getRequestURI().getQuery());
        byte[] body = exchange.getRequestBody().readAllBytes();
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        if (query.contains("watch=true")) {
            watched.set(true);
            // Chunked, and never ended: no event is ever sent.
            exchange.sendResponseHeaders(OK, 0);
            exchange.getResponseBody().flush();
            return;
        }
        switch (exchange.getRequestMethod()) {
            case "GET" -> {
                if (path.equals("/version")) {
                    send(exchange, OK, "{\"major\":\"1\",\"minor\":\"36\",\"gitVersion\":\"v1.36.0\"}");
                } else if (path.contains("/leases/")) {
                    send(exchange, NOT_FOUND, "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":404}");
                } else {
                    send(exchange, OK, "{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[" + items(path) + "]}");
                }
            }
            case "DELETE" -> send(exchange, OK, "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Success\"}");
            default -> send(exchange, CREATED, stored(body));
        }
    }

    /** The objects of a list: one without content of each kind that most processes read, so that its classes are loaded. */
    private static String items(String path) {
        return READ.stream().anyMatch(path::endsWith)
                ? "{\"metadata\":{\"name\":\"a\",\"namespace\":\"a\",\"uid\":\"1\",\"resourceVersion\":\"1\"}}"
                : "";
    }

    /** What the server returns for an object that was written. */
    private String stored(byte[] body) throws IOException {
        if (!(json.readTree(body) instanceof ObjectNode object)) {
            return "{}";
        }
        ObjectNode _ = object.withObject("/metadata")
                .put("uid", UUID.randomUUID().toString())
                .put("resourceVersion", Long.toString(System.nanoTime()));
        return object.toString();
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
