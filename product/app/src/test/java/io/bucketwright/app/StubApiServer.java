package io.bucketwright.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** An API server that answers as the test says: a request is a method and a path, and one without answer is not found. */
public final class StubApiServer implements AutoCloseable {

    private static final Answer NOT_FOUND =
            new Answer(404, _ -> "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"code\": 404}");

    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final List<String> patches = new CopyOnWriteArrayList<>();
    private final HttpServer server;

    private record Answer(int code, UnaryOperator<String> json) {}

    public StubApiServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.start();
        answer("GET /version", 200, "{\"major\": \"1\", \"minor\": \"35\"}");
    }

    public void answer(String request, int code, String json) {
        answer(request, code, _ -> json);
    }

    /** The answer depends on what was sent. */
    public void answer(String request, int code, UnaryOperator<String> json) {
        answers.put(request, new Answer(code, json));
    }

    /** No longer answers this request. */
    public void remove(String request) {
        answers.remove(request);
    }

    /** The patches that were sent, without white space. */
    public List<String> patches() {
        return patches;
    }

    /** A process that uses this server; it is not started. */
    public ControllerProcess process() {
        return ClientOptions.config(
                        ControllerProcess.builder(),
                        new ConfigBuilder().withMasterUrl(url()).build())
                .build();
    }

    public KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(
                        new ConfigBuilder(Config.empty()).withMasterUrl(url()).build())
                .build();
    }

    /** Writes a kubeconfig for this server. */
    public Path kubeconfig(Path folder) throws IOException {
        return kubeconfig(folder, url());
    }

    /** Writes a kubeconfig for any server. */
    static Path kubeconfig(Path folder, String url) throws IOException {
        return Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: here
                contexts: [{name: here, context: {cluster: here, user: me}}]
                clusters: [{name: here, cluster: {server: '%s', extensions: [{name: x, extension: {a: 1}}]}}]
                users: [{name: me, user: {token: abc}}]
                """.formatted(url));
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        if (exchange.getRequestMethod().equals("PATCH")) {
            patches.add(body.replaceAll("\\s", ""));
        }
        Answer answer = answers.getOrDefault(
                exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath(), NOT_FOUND);
        byte[] json = answer.json().apply(body).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(answer.code(), json.length);
        exchange.getResponseBody().write(json);
        exchange.close();
    }
}
