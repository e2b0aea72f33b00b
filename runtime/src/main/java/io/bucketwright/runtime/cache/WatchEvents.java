package io.bucketwright.runtime.cache;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.runtime.json.ObjectDecoder;
import io.bucketwright.runtime.objects.SafeText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Status;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** The events of one watch: applies each to the store, until the watch ends. */
final class WatchEvents<T extends HasMetadata> {

    private static final Set<String> CHANGES = Set.of("ADDED", "MODIFIED");

    private final ObjectDecoder<T> decoder;
    private final LenientObjects<T> lenient;
    private final InformerStore<T> store;
    private final CompletableFuture<WatchEnd> ended = new CompletableFuture<>();
    private boolean any;

    WatchEvents(ObjectDecoder<T> decoder, LenientObjects<T> lenient, InformerStore<T> store) {
        this.decoder = decoder;
        this.lenient = lenient;
        this.store = store;
    }

    CompletableFuture<WatchEnd> ended() {
        return ended;
    }

    /** Whether an event was received. Waits for one that is being applied; none is applied once the watch has ended. */
    synchronized boolean any() {
        return any;
    }

    void received(String event) {
        received(event.getBytes(StandardCharsets.UTF_8));
    }

    synchronized void received(byte[] event) {
        if (ended.isDone()) {
            return;
        }
        try {
            apply(event);
        } catch (IOException | RuntimeException e) {
            ended.complete(WatchEnd.incomplete("an event cannot be read: " + Reflector.describe(e)));
        }
    }

    private void apply(byte[] event) throws IOException {
        // Without writes of this process there are no echoes, and one pass is enough.
        if (store.overlay().size() > 0 || !applyAtOnce(event)) {
            applyByHeader(event);
        }
        // Not an error: a server that sends only errors must not be asked again at once.
        any |= !ended.isDone();
    }

    /** Decodes an event of the usual form in one pass; false if it has another, or if it is not about a change. */
    private boolean applyAtOnce(byte[] event) throws IOException {
        try (JsonParser parser = decoder.parser(event)) {
            parser.nextToken();
            boolean usual = "type".equals(parser.nextFieldName())
                    && CHANGES.contains(String.valueOf(parser.nextTextValue()))
                    && "object".equals(parser.nextFieldName())
                    && parser.nextToken() == JsonToken.START_OBJECT;
            if (!usual) {
                return false;
            }
            T object = decoder.decode(parser);
            ObjectMeta metadata = object.getMetadata();
            boolean complete = Stream.of(metadata.getName(), metadata.getUid(), metadata.getResourceVersion())
                    .noneMatch(text -> text == null || text.isEmpty());
            if (complete) {
                store.changed(object);
            }
            return complete;
        } catch (JsonMappingException e) {
            return false;
        }
    }

    private void applyByHeader(byte[] event) throws IOException {
        EventHeader header;
        try (JsonParser parser = decoder.parser(event)) {
            header = EventHeader.read(parser);
        }
        switch (header.type()) {
            case "ADDED", "MODIFIED" -> {
                if (!store.echoed(
                        requireName(header).key(),
                        header.object().uid(),
                        header.object().version())) {
                    decode(event)
                            .ifPresentOrElse(
                                    store::changed,
                                    () -> store.reached(header.object().version()));
                }
            }
            case "DELETED" -> {
                if (!store.deleted(
                        requireName(header).key(),
                        header.object().uid(),
                        header.object().version())) {
                    decode(event)
                            .ifPresent(
                                    last -> store.deleted(last, header.object().version()));
                }
            }
            case "BOOKMARK" -> store.reached(requireVersion(header).object().version());
            case "ERROR" -> failed(event);
            default -> throw new IOException("an event of type " + SafeText.quoted(header.type()));
        }
    }

    private static EventHeader requireVersion(EventHeader header) throws IOException {
        if (header.object().version().isEmpty()) {
            throw new IOException("an event of type " + header.type() + " without a resource version");
        }
        return header;
    }

    private static EventHeader requireName(EventHeader header) throws IOException {
        if (header.object().name().isEmpty() || header.object().uid().isEmpty()) {
            throw new IOException("an event of type " + header.type() + " without a name or uid");
        }
        return requireVersion(header);
    }

    private Optional<T> decode(byte[] event) throws IOException {
        try (JsonParser parser = decoder.parser(event)) {
            EventHeader.findObject(parser);
            return Optional.of(decoder.decode(parser));
        } catch (JsonMappingException e) {
            try (JsonParser parser = decoder.parser(event)) {
                EventHeader.findObject(parser);
                JsonNode tree = decoder.tree(parser);
                return lenient.decode(tree);
            }
        }
    }

    private void failed(byte[] event) throws IOException {
        Status status;
        try (JsonParser parser = decoder.parser(event)) {
            EventHeader.findObject(parser);
            status = decoder.decode(parser, Status.class);
        }
        String reason = SafeText.line(String.valueOf(status.getMessage()));
        boolean expired = status.getCode() != null && status.getCode() == HttpURLConnection.HTTP_GONE;
        ended.complete(expired ? WatchEnd.incomplete(reason) : WatchEnd.closed(reason));
    }
}
