package io.bucketwright.runtime.testing;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.cache.Informer;
import io.bucketwright.runtime.cache.InformerSource;
import io.bucketwright.runtime.cache.InformerStore;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.EventSink;
import io.bucketwright.runtime.client.ObjectReader;
import io.bucketwright.runtime.client.Transport;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.TermBarrier;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.json.JsonCodec;
import io.bucketwright.runtime.metrics.RoleMetrics;
import io.bucketwright.runtime.metrics.ScrapedGauges;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventSeries;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * One controller process on an {@link InMemoryApiServer}. Everything happens in the calling thread: {@link #deliverNext}
 * shows one change to the caches, {@link #runNext} reconciles one key.
 */
public final class InMemoryProcess implements AutoCloseable {

    /** Far more rounds than any flow needs; only controllers that undo each other's work reach it. */
    private static final int MAX_ROUNDS = 10_000;

    /** The reason of events that show which earlier ones are written. */
    private static final String MARKER = "Marker";

    private final InMemoryApiServer server;
    private final Leadership leadership;
    private final List<InMemoryInformer<?>> informers = new ArrayList<>();
    private final List<Controller<?>> controllers = new ArrayList<>();
    private final List<String> writes = new ArrayList<>();
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final AtomicInteger markers = new AtomicInteger();
    private volatile String lastMarker = "";
    private final EventRecorder recorder;
    private final ObjectCaches caches;
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ControllerContext context;
    private final Supplier<MeterRegistry> metrics;
    private Supplier<Fault> faults = () -> Fault.NONE;

    /**
     * A process that is not started.
     *
     * @param lease when it is gained, all caches show at once what the server has: they pass the {@link TermBarrier}
     */
    public InMemoryProcess(InMemoryApiServer server, ManualTime time, Leadership lease) {
        this.server = server;
        ScrapedGauges scraped = new ScrapedGauges(meters);
        this.caches = new ObjectCaches(new Informers(), meters);
        this.leadership = new TermBarrier(lease, caches, time);
        this.recorder = new EventRecorder("test", "test", new Events(), time, meters);
        Transport transport = new InMemoryTransport();
        this.metrics = () -> scraped.read(() -> meters);
        this.context = new ControllerContext(
                new ApiWriter(transport, caches),
                new ObjectReader(transport),
                caches,
                leadership,
                recorder,
                time,
                meters,
                new RoleMetrics("test", meters, leadership, scraped),
                new Random(1),
                controllers::add);
    }

    /** The metrics, counted now. */
    public MeterRegistry metrics() {
        return metrics.get();
    }

    /** For the registration of controllers; call {@link #start} afterwards. */
    public ControllerContext context() {
        return context;
    }

    /** Lists everything that the controllers watch. */
    public InMemoryProcess start() {
        caches.start();
        return this;
    }

    /** Decides the fate of each write from now on. */
    public void faults(Supplier<Fault> next) {
        faults = next;
    }

    /** The writes that were sent, such as {@code PATCH api/v1/namespaces/a/secrets/b}. */
    public List<String> writes() {
        return List.copyOf(writes);
    }

    /** All events that were recorded so far. They are written in the background, so this waits for one more of its own. */
    public List<Event> events() {
        String marker = MARKER + markers.incrementAndGet();
        recorder.normal(
                new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(marker)
                        .withUid(marker)
                        .endMetadata()
                        .build(),
                MARKER,
                MARKER,
                MARKER);
        while (recorder.isAlive() && !marker.equals(lastMarker)) {
            LockSupport.parkNanos(50_000);
        }
        return List.copyOf(events);
    }

    /** Shows the next change to each cache; false if the caches are up to date. */
    public boolean deliverNext() {
        boolean delivered = false;
        for (InMemoryInformer<?> informer : informers) {
            delivered |= informer.deliverNext();
        }
        return delivered;
    }

    /** Shows all changes of objects of one type; the caches of other types stay as old as they are. */
    public void deliver(Class<? extends HasMetadata> type) {
        for (InMemoryInformer<?> informer : informers) {
            boolean more = informer.type() == type;
            while (more) {
                more = informer.deliverNext();
            }
        }
    }

    /** Reconciles one key of each controller; false if no key is ready. */
    public boolean runNext() {
        boolean ran = false;
        for (Controller<?> controller : controllers) {
            try {
                ran |= controller.runNext();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return ran;
    }

    /** Delivers all changes and reconciles all keys that are ready, until there are none. No time passes. */
    public void settle() {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            boolean delivered = deliverNext();
            if (!runNext() && !delivered) {
                return;
            }
        }
        throw new AssertionError("The controllers do not settle; the last writes are "
                + writes.subList(Math.max(0, writes.size() - 20), writes.size()));
    }

    /** Ends the process without finishing anything. */
    @Override
    public void close() {
        recorder.close();
        caches.close();
    }

    private final class Informers implements InformerSource {
        @Override
        public <T extends HasMetadata> Informer informer(Class<T> type, Scope scope, InformerStore<T> store) {
            InMemoryInformer<T> informer = new InMemoryInformer<>(server, type, scope, store);
            informers.add(informer);
            return informer;
        }
    }

    private final class Events implements EventSink {
        @Override
        public void create(Event event) {
            if (event.getReason().equals(MARKER)) {
                lastMarker = event.getRegarding().getUid();
            } else {
                events.add(event);
            }
        }

        @Override
        public void repeat(Event event, EventSeries series) {
            events.add(event);
        }
    }

    private final class InMemoryTransport implements Transport {

        @Override
        public byte[] send(String what, String method, String path, String contentType, String body) {
            leadership.require();
            Fault fault = faults.get();
            if (fault == Fault.REQUEST_LOST) {
                throw lost(what);
            }
            if (fault == Fault.CREATION_REFUSED && method.equals("POST")) {
                throw new ApiException(new ApiError.Forbidden(what + ": exceeded quota"));
            }
            writes.add(method + " " + path);
            byte[] response = bytes(server.request(method, path, contentType, body));
            if (fault == Fault.RESPONSE_LOST) {
                throw lost(what);
            }
            return response;
        }

        @Override
        public byte[] get(String what, String path) {
            return bytes(server.request("GET", path, Transport.JSON, ""));
        }

        @Override
        public JsonCodec json() {
            return InMemoryApiServer.CODEC;
        }

        private static byte[] bytes(String response) {
            return response.getBytes(StandardCharsets.UTF_8);
        }

        private ApiException lost(String what) {
            return new ApiException(
                    new ApiError.Unavailable(what + ": no response from the API server; it may have taken effect"));
        }
    }
}
