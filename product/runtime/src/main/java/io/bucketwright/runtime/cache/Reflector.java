package io.bucketwright.runtime.cache;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.client.ListWatchException;
import io.bucketwright.runtime.client.ListWatchTransport;
import io.bucketwright.runtime.client.ResourceKind;
import io.bucketwright.runtime.json.ObjectDecoder;
import io.bucketwright.runtime.keepalive.WatchStatus;
import io.bucketwright.runtime.objects.SafeText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.http.WebSocket;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists all objects once, then watches them. After a watch that ended, the next one goes on from the last version; only when
 * the API server no longer has that version, or when an event was lost, everything is listed again. It never gives up.
 */
final class Reflector<T extends HasMetadata> implements Informer {

    private static final Logger log = LoggerFactory.getLogger(Reflector.class);

    /** Waits, in the thread of the informer. */
    interface Pause {
        void sleep(Duration time) throws InterruptedException;
    }

    /**
     * The delay before another attempt doubles as often as this. With the first delay of a process and jitter it is at most
     * 24 s: a server that answers again is asked before a silent watch would end leading.
     */
    private static final int MOST_DOUBLINGS = 5;

    /** A server, or a proxy before it, must not stop a watch for longer with one event. */
    private static final Duration LONGEST_REQUESTED = Duration.ofMinutes(1);

    /** So many watches that end at once, without an event and without an error: some proxies hide an expired version so. */
    private static final int EMPTY_WATCHES = 3;

    /** So many lists whose pages expire, one after another: pages take longer than their version exists. */
    private static final int EXPIRED_LISTS = 2;

    private static final int NORMAL_CLOSURE = 1000;

    private static final Duration SHORT_WATCH = Duration.ofSeconds(2);

    private final ResourceKind<T> kind;
    private final ListWatchPaths paths;
    private final ListWatchTransport transport;
    private final ObjectDecoder<T> decoder;
    private final LenientObjects<T> lenient;
    private final InformerStore<T> store;
    private final Duration firstDelay;
    private final Pause pause;
    private final CompletableFuture<Void> listed = new CompletableFuture<>();
    private final Thread thread;

    /** Changed only by the thread, as is what follows. */
    private Set<String> listedKeys = new HashSet<>();

    private String nextPage = "";
    private boolean mustList = true;
    private int expiredLists;
    private boolean mustBookmark;
    /** When the list that is under way was requested. */
    private long requestedNanos;

    private int failures;
    private int emptyWatches;
    private String lastLogged = "";

    private volatile String problem = "";
    private volatile boolean closed;
    private volatile @Nullable WatchEvents<T> watch;
    private volatile @Nullable WatchEnd reopening;
    /** When the last complete list was requested. */
    private volatile @Nullable Moment listedSince;

    /**
     * An informer that is not started.
     *
     * @param firstDelay before the second attempt; it doubles for each further one, five times at most
     */
    Reflector(
            ResourceKind<T> kind,
            Scope scope,
            ListWatchTransport transport,
            ObjectDecoder<T> decoder,
            InformerStore<T> store,
            Duration firstDelay,
            Pause pause) {
        this.kind = kind;
        this.paths = new ListWatchPaths(kind, scope);
        this.transport = transport;
        this.decoder = decoder;
        this.lenient = new LenientObjects<>(kind.plural(), decoder);
        this.store = store;
        this.firstDelay = firstDelay;
        this.pause = pause;
        this.thread = Thread.ofVirtual().name("reflector-" + kind.plural()).unstarted(this::run);
    }

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public CompletableFuture<Void> listed() {
        return listed;
    }

    @Override
    public boolean running() {
        return thread.isAlive();
    }

    @Override
    public WatchStatus status() {
        return transport.status();
    }

    @Override
    public String problem() {
        return problem;
    }

    @Override
    public void close() {
        closed = true;
        listed.completeExceptionally(new CancellationException("closed"));
        @Nullable WatchEvents<T> open = watch;
        if (open != null) {
            open.ended().complete(WatchEnd.closed("closed by this process"));
        }
        thread.interrupt();
    }

    @Override
    public CompletableFuture<Boolean> current(Moment since, BooleanSupplier wanted) {
        CompletableFuture<Boolean> current = new CompletableFuture<>();
        Thread.ofVirtual().name("current-" + kind.plural()).start(() -> {
            try {
                boolean caughtUp = new CatchUp(this, store, since, () -> !closed && wanted.getAsBoolean()).await();
                if (closed) {
                    throw new CancellationException("closed");
                }
                current.complete(caughtUp);
            } catch (InterruptedException | RuntimeException | Error e) {
                current.completeExceptionally(e);
            }
        });
        return current;
    }

    /** Whether the last complete list was requested after the moment. */
    boolean isListedSince(Moment since) {
        @Nullable Moment listedAt = listedSince;
        return listedAt != null && !listedAt.since(since).isNegative();
    }

    /**
     * Requests the version that the API server has reached; empty if there is no answer, after a pause.
     *
     * @param failed how often it failed before
     */
    Optional<ResourceVersion> reached(int failed) throws InterruptedException {
        try (InputStream body = transport.open(paths.version())) {
            return Optional.of(ResourceVersion.of(new ListDecoder<>(decoder, lenient)
                    .readLeniently(body, _ -> {})
                    .version()));
        } catch (IOException | RuntimeException e) {
            log.info("The version of {} cannot be read, retrying: {}", kind.plural(), describe(e));
            delay(failed, requestedWait(e));
            return Optional.empty();
        }
    }

    /**
     * Watches again at once, so that the server soon shows its version, or lists before that. Ends the watch that is open or
     * about to be opened; one that is opened at this moment perhaps twice.
     */
    void reopen(boolean relist) {
        log.debug("The watch of {} is opened again{}", kind.plural(), relist ? " after a list" : "");
        WatchEnd end = WatchEnd.reopened(relist);
        reopening = end;
        @Nullable WatchEvents<T> open = watch;
        if (open != null) {
            open.ended().complete(end);
        }
    }

    private void run() {
        while (!closed) {
            try {
                reopened(reopening);
                if (mustList) {
                    list();
                }
                watch();
            } catch (InterruptedException e) {
                // Only close interrupts.
                return;
            } catch (Throwable e) {
                // Also an Error: nobody else would list and watch this kind until the process ends.
                failed(e);
            }
        }
    }

    private void reopened(@Nullable WatchEnd end) {
        if (end != null && end.reopen()) {
            reopening = null;
            mustList |= end.relist();
            mustBookmark |= !end.relist();
        }
    }

    private void list() throws IOException, InterruptedException {
        ListDecoder<T> pages = new ListDecoder<>(decoder, lenient);
        Consumer<T> listedObject = object -> listedKeys.add(store.listed(object));
        String version;
        do {
            ListDecoder.Page page;
            try (InputStream body = page()) {
                page = pages.read(body, listedObject);
            } catch (JsonMappingException e) {
                log.debug("A page of {} is read again: {} does not fit its class", kind.plural(), e.getPathReference());
                try (InputStream body = page()) {
                    page = pages.readLeniently(body, listedObject);
                }
            }
            version = page.version();
            nextPage = page.next();
        } while (!nextPage.isEmpty());
        synchronized (store) {
            store.complete(listedKeys, version);
            listedSince = new Moment(requestedNanos);
        }
        mustList = false;
        expiredLists = 0;
    }

    /**
     * Requests the next page. The first one begins a list of another version: keys of a list that broke say nothing about it,
     * because their objects may have been deleted since. If pages expire again and again, everything is requested at once.
     */
    private InputStream page() throws IOException, InterruptedException {
        if (nextPage.isEmpty()) {
            listedKeys = new HashSet<>();
            requestedNanos = System.nanoTime();
        }
        return transport.open(needsWholeList() ? paths.wholeList() : paths.list(nextPage));
    }

    private boolean needsWholeList() {
        return nextPage.isEmpty() && expiredLists >= EXPIRED_LISTS;
    }

    /** Returns when the watch has ended and the next attempt is due. */
    private void watch() throws IOException, InterruptedException {
        WatchEvents<T> events = new WatchEvents<>(decoder, lenient, store, this::opened);
        watch = events;
        Closeable connection = open(events);
        mustBookmark = false;
        long openedNanos = System.nanoTime();
        WatchEnd end;
        try {
            @Nullable WatchEnd asked = closed ? WatchEnd.closed("closed by this process") : reopening;
            end = asked != null ? asked : events.ended().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            // No event of this watch may be applied after one of the next.
            events.ended().complete(WatchEnd.closed("closed by this process"));
            close(connection);
        }
        boolean lasted = System.nanoTime() - openedNanos > SHORT_WATCH.toNanos();
        boolean useful = events.any() || (lasted && !end.failed());
        log.debug("The watch of {} ended: {}", kind.plural(), end.reason());
        if (end.reopen()) {
            reopened(end);
            return;
        }
        failures = useful ? 0 : failures + 1;
        emptyWatches = useful || end.relist() ? 0 : emptyWatches + 1;
        mustList = end.relist() || emptyWatches >= EMPTY_WATCHES;
        // An expired version is normal: list at once, unless that has just happened.
        if (!end.relist() || failures > 1) {
            delay(failures, end.requestedWait());
        }
    }

    /** Opens a watch, and returns what closes it. */
    private Closeable open(WatchEvents<T> events) throws IOException, InterruptedException {
        String version = store.version().value();
        String path = mustBookmark ? paths.bookmark(version) : paths.watch(version);
        Optional<WebSocket> socket = transport.watch(path, events);
        if (socket.isPresent()) {
            return () -> socket.get().sendClose(NORMAL_CLOSURE, "");
        }
        InputStream lines = transport.open(path);
        opened();
        Thread.ofVirtual().name("watch-" + kind.plural()).start(() -> events.readLines(lines));
        return lines;
    }

    private static void close(Closeable connection) {
        try {
            connection.close();
        } catch (IOException | IllegalStateException e) {
            log.debug("A watch was closed already", e);
        }
    }

    private void opened() {
        problem = "";
        listed.complete(null);
    }

    private void failed(Throwable failure) {
        if (closed) {
            return;
        }
        failures++;
        if (mustList && needsWholeList()) {
            // The server, or a proxy before it, may not be able to send everything at once.
            expiredLists = 0;
        }
        if (failure instanceof ListWatchException refused && refused.isExpired()) {
            log.debug("The version of {} has expired: {}", kind.plural(), refused.getMessage());
            expiredLists += nextPage.isEmpty() ? 0 : 1;
            mustList = true;
            nextPage = "";
        } else {
            report(describe(failure));
            if (failure instanceof ListWatchException refused && !refused.isBusy()) {
                // The server may never accept this page, or this version, for example if its data was replaced.
                mustList |= !refused.isDenied();
                nextPage = "";
            }
        }
        try {
            delay(failures, requestedWait(failure));
        } catch (InterruptedException e) {
            // Only close interrupts, and the caller sees that.
            Thread.currentThread().interrupt();
        }
    }

    /** Once in one sentence, instead of a stack trace at each attempt. */
    private void report(String sentence) {
        problem = sentence;
        if (!sentence.equals(lastLogged)) {
            lastLogged = sentence;
            log.warn("Listing or watching {} failed, retrying: {}", kind.plural(), sentence);
        }
    }

    /** Not the message of a parser: it may quote the content of a Secret. */
    static String describe(Throwable failure) {
        if (failure instanceof JsonProcessingException malformed) {
            return "the response is not valid JSON (" + malformed.getClass().getSimpleName() + ")";
        }
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        @Nullable String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : SafeText.line(message);
    }

    private static Duration requestedWait(Throwable failure) {
        return failure instanceof ListWatchException refused ? refused.requestedWait() : Duration.ZERO;
    }

    private void delay(int failed, Duration requested) throws InterruptedException {
        Duration own = delay(firstDelay, failed, ThreadLocalRandom.current().nextDouble());
        Duration wait = requested.compareTo(LONGEST_REQUESTED) < 0 ? requested : LONGEST_REQUESTED;
        pause.sleep(own.compareTo(wait) < 0 ? own.plus(wait) : own);
    }

    /**
     * The delay after so many failures, between half and one and a half times of what it doubles to: informers that lost
     * their server at the same moment must not all return at the same moment.
     *
     * @param random from 0 to 1
     */
    static Duration delay(Duration first, int failures, double random) {
        Duration doubled = first.multipliedBy(1L << Math.clamp(failures - 1, 0, MOST_DOUBLINGS));
        return Duration.ofNanos((long) (doubled.toNanos() * (0.5 + random)));
    }
}
