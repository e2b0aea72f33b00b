package io.bucketwright.runtime.cache;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.runtime.client.ListWatchException;
import io.bucketwright.runtime.json.ObjectDecoder;
import io.bucketwright.runtime.objects.SafeText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The events of one watch: applies each to the store, until the watch ends. */
final class WatchEvents<T extends HasMetadata> {

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
        } catch (Throwable e) {
            // Also an Error: the thread that reads the watch must not end without a word.
            ended.complete(WatchEnd.incomplete("an event cannot be read: " + Reflector.describe(e)));
        }
    }

    private void apply(byte[] event) throws IOException {
        apply(EventHeader.read(event, decoder), event);
        // Not an error: a server that sends only errors must not be asked again at once.
        any |= !ended.isDone();
    }

    private void apply(EventHeader header, byte[] event) throws IOException {
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
        int code = status.getCode() == null ? 0 : status.getCode();
        // As client-go: whatever else the server reports may be about the version that the watch began with.
        ended.complete(
                ListWatchException.isBusy(code)
                        ? WatchEnd.busy(retryAfter(status), reason)
                        : WatchEnd.incomplete(reason));
    }

    private static Duration retryAfter(Status status) {
        @Nullable
        Integer seconds =
                status.getDetails() == null ? null : status.getDetails().getRetryAfterSeconds();
        return seconds == null || seconds < 0 ? Duration.ZERO : Duration.ofSeconds(seconds);
    }
}
