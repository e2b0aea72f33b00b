package io.bucketwright.runtime.events;

import io.bucketwright.runtime.LeadershipLostException;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.EventSink;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records events about objects. Never blocks and never fails, whatever happens to the event. */
public final class EventRecorder implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EventRecorder.class);

    private static final int QUEUE = 4096;
    private static final int REMEMBERED = 4096;
    private static final int ATTEMPTS = 3;
    private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(2);

    private sealed interface Item {

        record Happened(Notice notice, int attempt) implements Item {}

        record Due(Notice notice) implements Item {}

        record End() implements Item {}
    }

    private final EventFactory factory;
    private final EventSink sink;
    private final TimeSource time;
    private final MeterRegistry meters;
    private final BlockingQueue<Item> queue = new ArrayBlockingQueue<>(QUEUE);
    private final Map<Notice, Series> series = new Lru<>(REMEMBERED);
    private final Map<String, Budget> budgets = new Lru<>(REMEMBERED);
    private final Thread writer;
    private volatile boolean closed;

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
        this.writer = Thread.ofVirtual().name("events").start(this::write);
    }

    /** Something succeeded. */
    public void normal(HasMetadata object, String reason, String action, String note) {
        put(new Item.Happened(Notice.about(object, Notice.Type.NORMAL, reason, action, note), 1));
    }

    /** Something failed; the note contains what to do about it. */
    public void warning(HasMetadata object, String reason, String action, String note) {
        put(new Item.Happened(Notice.about(object, Notice.Type.WARNING, reason, action, note), 1));
    }

    /** Writes the events recorded so far, within that time. */
    public void drain(Duration atMost) throws InterruptedException {
        closed = true;
        if (queue.offer(new Item.End())) {
            writer.join(atMost);
        }
        writer.interrupt();
    }

    @Override
    public void close() {
        closed = true;
        writer.interrupt();
    }

    private void put(Item item) {
        if (closed || !queue.offer(item)) {
            drop("queue full");
        }
    }

    private void write() {
        try {
            while (true) {
                switch (queue.take()) {
                    case Item.Happened(Notice notice, int attempt) -> happened(notice, attempt);
                    case Item.Due(Notice notice) -> due(notice);
                    case Item.End() -> {
                        return;
                    }
                }
            }
        } catch (InterruptedException e) {
            log.debug("Event recorder ends with {} events unwritten", queue.size());
        }
    }

    private void happened(Notice notice, int attempt) {
        @Nullable Series known = series.get(notice);
        if (known != null) {
            if (known.again()) {
                time.after(known.untilNextWrite(time.nanos()), () -> put(new Item.Due(notice)));
            }
            return;
        }
        String object = notice.regarding().getUid();
        if (attempt == 1
                && !budgets.computeIfAbsent(object, ignored -> new Budget(time)).spend()) {
            drop("too many of one object");
            return;
        }
        Series begun = new Series(factory.event(notice), time.nanos());
        try {
            sink.create(begun.event());
            series.put(notice, begun);
        } catch (ApiException e) {
            failed(new Item.Happened(notice, attempt + 1), attempt, e.error());
        } catch (LeadershipLostException e) {
            drop("not leading");
        } catch (RuntimeException e) {
            broken(notice, e);
        }
    }

    private void due(Notice notice) {
        @Nullable Series known = series.get(notice);
        if (known == null || !known.beginWrite(time.nanos())) {
            return;
        }
        try {
            sink.repeat(known.event(), factory.series(known.count()));
        } catch (ApiException e) {
            // Most likely the event has expired: the next occurrence begins a new one.
            series.remove(notice);
            drop(e.error().getClass().getSimpleName());
        } catch (LeadershipLostException e) {
            drop("not leading");
        } catch (RuntimeException e) {
            broken(notice, e);
        }
    }

    private void failed(Item retry, int attempt, ApiError error) {
        boolean passing = error instanceof ApiError.Unavailable || error instanceof ApiError.Throttled;
        if (passing && attempt < ATTEMPTS) {
            time.after(BETWEEN_ATTEMPTS.multipliedBy(attempt), () -> put(retry));
        } else {
            // A namespace that is being deleted accepts no events.
            log.debug("Dropping an event: {}", error.message());
            drop(error.getClass().getSimpleName());
        }
    }

    private void broken(Notice notice, RuntimeException problem) {
        log.error("Could not write the event {}; dropping it, please report this", notice.reason(), problem);
        drop("broken");
    }

    private void drop(String why) {
        meters.counter("bucketwright.events.dropped", "reason", why).increment();
    }
}
