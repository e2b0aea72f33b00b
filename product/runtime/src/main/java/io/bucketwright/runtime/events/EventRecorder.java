package io.bucketwright.runtime.events;

import io.bucketwright.runtime.LeadershipLostException;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.EventSink;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records events about objects. Never blocks and never fails, whatever happens to the event. */
public final class EventRecorder implements AutoCloseable {

    /** Remembers what was used last and forgets the rest. */
    private static final class Lru<K, V> extends LinkedHashMap<K, V> {

        private final int most;

        Lru(int most) {
            super(16, 0.75f, true);
            this.most = most;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > most;
        }
    }

    private static final Logger log = LoggerFactory.getLogger(EventRecorder.class);

    private static final String QUEUE_FULL = "queue full";
    private static final int QUEUE = 4096;
    private static final int REMEMBERED = 4096;
    private static final int ATTEMPTS = 3;
    private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(2);

    private final EventFactory factory;
    private final EventSink sink;
    private final TimeSource time;
    private final MeterRegistry meters;
    private final BlockingQueue<Runnable> queue = new ArrayBlockingQueue<>(QUEUE);
    private final Map<EventContent, Series> series = new Lru<>(REMEMBERED);
    private final Map<String, EventRateLimit> limits = new Lru<>(REMEMBERED);
    private final Thread writer;
    private volatile boolean closed;
    /** Whether the writer has reached the end of the queue; used by the writer only. */
    private boolean drained;

    /**
     * Starts the recorder.
     *
     * @param controller who reports, as in {@code bucketwright.io/buckets}
     * @param instance which process of it
     */
    public EventRecorder(String controller, String instance, EventSink sink, TimeSource time, MeterRegistry meters) {
        this.factory = new EventFactory(controller, instance, time);
        this.sink = sink;
        this.time = time;
        this.meters = meters;
        // From the start: an increase from a value that nobody has seen is none for Prometheus.
        Counter _ = counter(QUEUE_FULL);
        this.writer = Thread.ofVirtual().name("events").start(this::write);
    }

    /** Something succeeded. */
    public void normal(HasMetadata object, String reason, String action, String note) {
        record(EventContent.about(object, EventContent.NORMAL, reason, action, note), 1);
    }

    /** Something failed; the note contains what to do about it. */
    public void warning(HasMetadata object, String reason, String action, String note) {
        record(EventContent.about(object, EventContent.WARNING, reason, action, note), 1);
    }

    /** Writes the events recorded so far, within that time. */
    public void drain(Duration atMost) throws InterruptedException {
        closed = true;
        if (queue.offer(() -> drained = true)) {
            writer.join(atMost);
        }
        writer.interrupt();
    }

    /** Whether events are written; false once it is closed. */
    public boolean isAlive() {
        return writer.isAlive();
    }

    @Override
    public void close() {
        closed = true;
        writer.interrupt();
    }

    private void record(EventContent content, int attempt) {
        put(() -> happened(content, attempt));
    }

    private void put(Runnable item) {
        if (closed || !queue.offer(item)) {
            drop(QUEUE_FULL);
        }
    }

    private void write() {
        try {
            while (!drained) {
                writeNext();
            }
        } catch (InterruptedException e) {
            log.debug("Event recorder ends with {} events unwritten", queue.size());
        }
    }

    private void writeNext() throws InterruptedException {
        Runnable next = queue.take();
        try {
            next.run();
        } catch (RuntimeException | Error e) {
            // Nothing may end the writer: no event would be written any more, and nobody would notice.
            log.error("Could not write an event; dropping it, please report this", e);
            drop("broken");
        }
    }

    private void happened(EventContent content, int attempt) {
        @Nullable Series known = series.get(content);
        if (known != null) {
            if (known.again()) {
                time.after(known.untilNextWrite(time.nanos()), () -> put(() -> due(content)));
            }
            return;
        }
        String object = content.regarding().getUid();
        if (attempt == 1
                && !limits.computeIfAbsent(object, _ -> new EventRateLimit(time))
                        .tryAcquire()) {
            drop("too many of one object");
            return;
        }
        Event event = factory.event(content);
        send(content, error -> failed(content, attempt, error), () -> {
            long now = time.nanos();
            sink.create(event);
            series.put(content, new Series(event.getMetadata().getName(), now));
        });
    }

    private void due(EventContent content) {
        @Nullable Series known = series.get(content);
        if (known != null && known.beginWrite(time.nanos())) {
            send(
                    content,
                    error -> expired(content, error),
                    () -> sink.repeat(EventFactory.written(content, known.name()), factory.series(known.count())));
        }
    }

    private void send(EventContent content, Consumer<ApiError> failed, Runnable request) {
        try {
            request.run();
        } catch (ApiException e) {
            failed.accept(e.error());
        } catch (LeadershipLostException e) {
            drop("not leading");
        } catch (RuntimeException e) {
            log.error("Could not write the event {}; dropping it, please report this", content.reason(), e);
            drop("broken");
        }
    }

    private void failed(EventContent content, int attempt, ApiError error) {
        boolean passing = error instanceof ApiError.Unavailable || error instanceof ApiError.Throttled;
        if (passing && attempt < ATTEMPTS) {
            time.after(BETWEEN_ATTEMPTS.multipliedBy(attempt), () -> record(content, attempt + 1));
        } else {
            // A namespace that is being deleted accepts no events.
            log.debug("Dropping an event: {}", error.message());
            drop(error.getClass().getSimpleName());
        }
    }

    /** Most likely the event has expired: the next occurrence begins a new one. */
    private void expired(EventContent content, ApiError error) {
        series.remove(content);
        drop(error.getClass().getSimpleName());
    }

    private void drop(String why) {
        counter(why).increment();
    }

    private Counter counter(String why) {
        return Counter.builder("bucketwright.events.dropped")
                .tag("reason", why)
                .description("Events that were not written")
                .register(meters);
    }
}
