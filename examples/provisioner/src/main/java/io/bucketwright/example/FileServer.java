package io.bucketwright.example;

import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The storage system: GET, PUT and DELETE of {@code /BUCKET/KEY}, and GET of {@code /BUCKET/} for a list of keys. */
record FileServer(Layout layout, HttpServer server, String host) implements AutoCloseable {

    /** Starts a server; port 0 selects a free port. */
    static FileServer start(Path root, String host, int port) throws IOException {
        FileServer files =
                new FileServer(new Layout(root), HttpServer.create(new InetSocketAddress(host, port), 0), host);
        files.server.createContext("/", files::answer).setAuthenticator(new BasicAuthenticator("buckets") {
            @Override
            public boolean checkCredentials(String id, String secret) {
                return files.key(id).filter(key -> key.opens(secret)).isPresent();
            }
        });
        files.server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        files.server.start();
        return files;
    }

    Endpoint endpoint() {
        return new Endpoint(false, host, server.getAddress().getPort());
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private Optional<Key> key(String id) {
        try {
            return Key.read(layout.key(id));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String[] path = exchange.getRequestURI().getPath().substring(1).split("/", 2);
            Optional<Key> key = key(exchange.getPrincipal().getUsername());
            boolean reads = exchange.getRequestMethod().equals("GET");
            boolean allowed = key.filter(it -> it.bucket().text().equals(path[0]))
                    .filter(it -> reads || it.mode() == AccessMode.READ_WRITE)
                    .isPresent();
            if (!allowed || path.length < 2 || (path[1].isEmpty() && !reads)) {
                exchange.sendResponseHeaders(403, -1);
                return;
            }
            serve(exchange, new BucketName(path[0]), path[1]);
        } catch (NoSuchFileException | Invalid e) {
            exchange.sendResponseHeaders(404, -1);
        }
    }

    private void serve(HttpExchange exchange, BucketName bucket, String key) throws IOException {
        Path file = layout.object(bucket, key);
        switch (exchange.getRequestMethod()) {
            case "GET" -> {
                byte[] body = key.isEmpty() ? list(bucket).getBytes(StandardCharsets.UTF_8) : Files.readAllBytes(file);
                exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
                exchange.getResponseBody().write(body);
            }
            case "PUT" -> {
                Files.write(file, exchange.getRequestBody().readAllBytes());
                exchange.sendResponseHeaders(204, -1);
            }
            case "DELETE" -> {
                Files.deleteIfExists(file);
                exchange.sendResponseHeaders(204, -1);
            }
            default -> exchange.sendResponseHeaders(403, -1);
        }
    }

    private String list(BucketName bucket) throws IOException {
        try (Stream<Path> files = Files.list(layout.objects(bucket))) {
            return files.map(file -> file.getFileName().toString().substring(1))
                    .map(name -> URLDecoder.decode(name, StandardCharsets.UTF_8))
                    .sorted()
                    .collect(Collectors.joining("\n"));
        }
    }
}
