package io.bucketwright.runtime.cache;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.runtime.client.ListWatchException;
import io.bucketwright.runtime.json.ObjectDecoder;
import io.bucketwright.runtime.json.ObjectHeader;
import io.bucketwright.runtime.json.ObjectScanner;
import io.bucketwright.runtime.objects.SafeText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.http.WebSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The events of one watch, over a WebSocket or a plain response: applies each to the store, until the watch ends. */
final class WatchEvents<T extends HasMetadata> implements WebSocket.Listener {

    private final ObjectDecoder<T> decoder;
    private final LenientObjects<T> lenient;
    private final InformerStore<T> store;
    private final Runnable opened;
    private final CompletableFuture<WatchEnd> ended = new CompletableFuture<>();
    private boolean any;

    WatchEvents(ObjectDecoder<T> decoder, LenientObjects<T> lenient, InformerStore<T> store, Runnable opened) {
        this.decoder = decoder;
        this.lenient = lenient;
        this.store = store;
        this.opened = opened;
    }

    CompletableFuture<WatchEnd> ended() {
        return ended;
    }

    /** Whether an event was received. Waits for one that is being applied; none is applied once the watch has ended. */
    synchronized boolean any() {
        return any;
    }

    @Override
    public void onOpen(WebSocket socket) {
        opened.run();
    }

    @Override
    public void onMessage(WebSocket socket, ByteBuffer bytes) {
        byte[] event = new byte[bytes.remaining()];
        bytes.get(event);
        received(event);
        socket.request();
    }

    @Override
    public void onClose(WebSocket socket, int code, String reason) {
        ended.complete(WatchEnd.closed("closed by the server (" + code + ")"));
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
        ended.complete(WatchEnd.closed(String.valueOf(error.getMessage())));
    }

    /** Reads events from a plain response, one in each line, until it ends. */
    void readLines(InputStream body) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        byte[] part = new byte[8 * 1024];
        try (body) {
            for (int count = body.read(part); count >= 0; count = body.read(part)) {
                for (int i = 0; i < count; i++) {
                    if (part[i] != '\n') {
                        line.write(part[i]);
                    } else if (line.size() > 0) {
                        received(line.toByteArray());
                        line.reset();
                    }
                }
            }
            ended.complete(WatchEnd.closed("closed by the server"));
        } catch (Throwable e) {
            // Also an Error: the informer waits for the end of the watch.
            ended.complete(WatchEnd.closed(Reflector.describe(e)));
        }
    }

    private synchronized void received(byte[] event) {
        if (ended.isDone()) {
            return;
        }
        try {
            apply(event);
        } catch (Throwable e) {
            // Also an Error: the thread that reads the watch must not end without a word.
            ended.complete(WatchEnd.incomplete("an event cannot be read: " + Reflector.describe(e)));
        }
    }

    private void apply(byte[] event) throws IOException {
        // For many events the header is enough: bookmarks, deletions, and echoes of writes of this process.
        Optional<ObjectScanner.Event> scanned = ObjectScanner.event(event);
        apply(scanned.isPresent() ? scanned.get() : ObjectScanner.Event.of(decoder.tree(event)), event);
        // Not an error: a server that sends only errors must not be asked again at once.
        any |= !ended.isDone();
    }

    private void apply(ObjectScanner.Event header, byte[] event) throws IOException {
        ObjectHeader object = header.object();
        switch (header.type()) {
            case "ADDED", "MODIFIED" -> {
                requireName(header);
                if (!store.echoed(InformerStore.key(object), object.uid(), object.version())) {
                    decode(event).ifPresentOrElse(store::changed, () -> store.reached(object.version()));
                }
            }
            case "DELETED" -> {
                requireName(header);
                if (!store.deleted(InformerStore.key(object), object.uid(), object.version())) {
                    decode(event).ifPresent(last -> store.deleted(last, object.version()));
                }
            }
            case "BOOKMARK" -> {
                requireVersion(header);
                store.reached(object.version());
            }
            case "ERROR" -> failed(decoder.tree(event).path("object"));
            default -> throw new IOException("an event of type " + SafeText.quoted(header.type()));
        }
    }

    private static void requireVersion(ObjectScanner.Event header) throws IOException {
        if (header.object().version().isEmpty()) {
            throw new IOException("an event of type " + header.type() + " without a resource version");
        }
    }

    private static void requireName(ObjectScanner.Event header) throws IOException {
        if (header.object().name().isEmpty() || header.object().uid().isEmpty()) {
            throw new IOException("an event of type " + header.type() + " without a name or uid");
        }
        requireVersion(header);
    }

    private Optional<T> decode(byte[] event) throws IOException {
        try (JsonParser parser = decoder.parser(event)) {
            findObject(parser);
            return Optional.of(decoder.decode(parser));
        } catch (JsonMappingException e) {
            return lenient.decode(decoder.tree(event).path("object"));
        }
    }

    /** Moves a fresh parser of an event to its object. */
    private static void findObject(JsonParser parser) throws IOException {
        parser.nextToken();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean found = parser.currentName().equals("object");
            parser.nextToken();
            if (found) {
                return;
            }
            parser.skipChildren();
        }
        throw new IOException("a watch event without an object");
    }

    /** The object of the event is a Status. */
    private void failed(JsonNode status) {
        String reason = SafeText.line(status.path("message").asText(""));
        int wait = status.path("details").path("retryAfterSeconds").asInt();
        // As client-go: whatever else the server reports may be about the version that the watch began with.
        ended.complete(
                ListWatchException.isBusy(status.path("code").asInt())
                        ? WatchEnd.busy(Duration.ofSeconds(Math.max(0, wait)), reason)
                        : WatchEnd.incomplete(reason));
    }
}
