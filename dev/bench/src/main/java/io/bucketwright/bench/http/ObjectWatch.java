package io.bucketwright.bench.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A watch on the objects of one path, in a thread of its own. It resumes where it was cut. */
public final class ObjectWatch implements AutoCloseable {

    private final ApiEndpoint endpoint;
    private final String path;
    private final Consumer<WatchEvent> events;
    private final Thread thread;
    private String version;
    private volatile PlainConnection connection;
    private volatile boolean closed;
    private volatile @Nullable IOException failure;

    private ObjectWatch(
            ApiEndpoint endpoint,
            String path,
            Consumer<WatchEvent> events,
            String version,
            PlainConnection connection) {
        this.endpoint = endpoint;
        this.path = path;
        this.events = events;
        this.version = version;
        this.connection = connection;
        this.thread = Thread.ofPlatform().daemon().name("watch " + path).unstarted(this::run);
    }

    /** Starts a watch: every change after this method has returned is passed on. */
    public static ObjectWatch start(ApiEndpoint endpoint, String path, Consumer<WatchEvent> events) throws IOException {
        PlainConnection connection = PlainConnection.open(endpoint);
        String version = connection
                .get(path + "?limit=1")
                .require()
                .json()
                .at("/metadata/resourceVersion")
                .asText();
        ObjectWatch watch = new ObjectWatch(endpoint, path, events, version, connection);
        watch.thread.start();
        return watch;
    }

    /** Throws what ended the watch, if anything did. */
    public void requireRunning() throws IOException {
        IOException ended = failure;
        if (ended != null) {
            throw new IOException("The watch on " + path + " failed: " + ended.getMessage(), ended);
        }
    }

    private void run() {
        while (!closed) {
            try {
                follow();
                connection = PlainConnection.open(endpoint);
            } catch (IOException e) {
                if (!closed) {
                    failure = e;
                }
                return;
            }
        }
    }

    private void follow() throws IOException {
        try (PlainConnection current = connection;
                BufferedReader lines = new BufferedReader(new InputStreamReader(
                        current.stream(path + "?watch=true&timeoutSeconds=7200&resourceVersion=" + version),
                        StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                long now = System.nanoTime();
                JsonNode event = PlainResponse.parse(line);
                if (event.path("type").asText().equals("ERROR")) {
                    throw new IOException(event.at("/object/message").asText());
                }
                JsonNode object = event.path("object");
                version = object.at("/metadata/resourceVersion").asText();
                events.accept(new WatchEvent(event.path("type").asText(), object, now));
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        connection.close();
    }
}
