package io.bucketwright.runtime.controller;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.LeadershipLostException;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.CacheListener;
import io.bucketwright.runtime.cache.Source;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.objects.DurationText;
import io.bucketwright.runtime.queue.WorkQueue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Runs a reconciler with a work queue and a fixed number of workers, only while this process leads. */
public final class Controller<K> {

    private static final Logger log = LoggerFactory.getLogger(Controller.class);

    private final String name;
    private final Reconciler<K> reconciler;
    private final WorkQueue<K> queue;
    private final Leadership leadership;
    private final List<Consumer<K>> done = new ArrayList<>();
    private final List<ConcurrencyLimits<K>> limits = new ArrayList<>();
    /** Where keys come from when leadership is gained. */
    private final List<Supplier<Stream<K>>> known = new ArrayList<>();

    private int workers = 1;
    private final MeterRegistry meters;
    /** The counters of results, by the class of the result: the registry would build and sort their tags each time. */
    private final Map<Class<?>, Counter> settled = new ConcurrentHashMap<>();

    private final Counter threw;
    private final List<Source<?>> sources = new ArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private volatile boolean stopping;

    public Controller(
            String name, Reconciler<K> reconciler, WorkQueue<K> queue, Leadership leadership, MeterRegistry meters) {
        this.name = name;
        this.reconciler = reconciler;
        this.queue = queue;
        this.leadership = leadership;
        this.meters = meters;
        // From the start: an increase from a value that nobody has seen is none for Prometheus.
        this.threw = counter("threw");
        leadership.onGained(() -> {
            try {
                addAllKnown();
            } finally {
                wake();
            }
        });
    }

    /** How many keys are reconciled at once; one unless set. Call it before the start. */
    public Controller<K> workers(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("Controller " + name + " needs at least one worker, got " + number);
        }
        workers = number;
        return this;
    }

    /**
     * Tells whose an object without a namespace is: the namespace of the claim that it is for. Tenants take turns, so that the
     * claims of one do not wait for all claims of another.
     */
    public Controller<K> tenants(Function<K, Optional<String>> namespaceOf) {
        queue.tenants(key -> namespaceOf.apply(key).orElse(""));
        return this;
    }

    /** Forgets the in-flight state of a key when nothing is left to do for it. */
    public Controller<K> inFlight(InFlightState<K, ?> state) {
        whenDone(state::forget);
        queue.alsoFailing(state::retrying);
        return knowing(() -> state.keys().stream());
    }

    /** Passes on each key for which nothing is left to do. */
    public Controller<K> whenDone(Consumer<K> listener) {
        done.add(listener);
        return this;
    }

    /** Adds keys that wait in the limits again when it is their turn. */
    public Controller<K> limits(ConcurrencyLimits<K> value) {
        limits.add(value);
        value.connect(queue::add, queue::tenantOf);
        return this;
    }

    /** Adds these keys too when leadership is gained: their objects may have been deleted while another process led. */
    public Controller<K> knowing(Supplier<Stream<K>> keys) {
        known.add(keys);
        return this;
    }

    /** Adds a key to the queue, for events that no watch reports; also while this process does not lead. */
    public void add(K key) {
        queue.add(key);
    }

    public String name() {
        return name;
    }

    /**
     * Watches the objects that are reconciled: each change adds the key, and a deletion resets its back-off. Events are
     * dropped while this process does not lead, so that its queue does not grow; the gain of leadership adds all objects.
     */
    public <T extends HasMetadata> Controller<K> watch(Source<T> objects, Function<ObjectKey, K> key) {
        // The first listener: the key is added afterwards.
        objects.listen(last -> queue.forget(key.apply(ObjectKey.of(last))));
        return watchRelated(objects, object -> List.of(key.apply(ObjectKey.of(object))));
    }

    /** Watches related objects: each change adds the keys that the object was related to before and is related to now. */
    public <T extends HasMetadata> Controller<K> watchRelated(Source<T> objects, Function<T, Collection<K>> keys) {
        sources.add(objects);
        known.add(() -> objects.list().stream().flatMap(object -> relatedTo(object, keys).stream()));
        objects.listen(new CacheListener<>() {
            @Override
            public void changed(T before, T after) {
                // Each once: a worker may take a key as soon as it is added.
                Set<K> related = new LinkedHashSet<>(relatedTo(before, keys));
                related.addAll(relatedTo(after, keys));
                related.forEach(Controller.this::observed);
            }

            @Override
            public void deleted(T last) {
                relatedTo(last, keys).forEach(Controller.this::observed);
            }
        });
        return this;
    }

    /** Watches the deletion of related objects and no other change: each adds the keys that the object was related to. */
    public <T extends HasMetadata> Controller<K> watchDeleted(Source<T> objects, Function<T, Collection<K>> keys) {
        sources.add(objects);
        objects.listen(last -> relatedTo(last, keys).forEach(this::observed));
        return this;
    }

    /** One object that nobody expected must not hide the others. */
    private <T extends HasMetadata> Collection<K> relatedTo(T object, Function<T, Collection<K>> keys) {
        try {
            return keys.apply(object);
        } catch (RuntimeException e) {
            log.error(
                    "Controller {} cannot tell what {} {} is related to; please report this",
                    name,
                    object.getKind(),
                    ObjectKey.of(object),
                    e);
            return List.of();
        }
    }

    private void observed(K key) {
        if (leadership.held()) {
            queue.add(key);
        }
    }

    private void addAllKnown() {
        known.forEach(keys -> keys.get().forEach(queue::add));
    }

    /** Whether all watched caches are synced. */
    public boolean synced() {
        return sources.stream().allMatch(Source::synced);
    }

    /** Starts the workers; the caches must have synced before. */
    public void start() {
        start(Thread.ofVirtual().name(name + "-", 1).factory());
    }

    void start(ThreadFactory factory) {
        for (int i = 1; i <= workers; i++) {
            Thread worker = factory.newThread(this::work);
            worker.start();
            threads.add(worker);
        }
    }

    /** How many workers have ended although the controller has not stopped: always none, unless there is a defect. */
    public long deadWorkers() {
        return stopping
                ? 0
                : threads.stream().filter(thread -> !thread.isAlive()).count();
    }

    /** Reconciles one key in the calling thread; false if no key is ready. For tests that start no workers. */
    @API(status = API.Status.INTERNAL)
    public boolean runNext() throws InterruptedException {
        Optional<K> key = queue.poll();
        if (key.isPresent()) {
            workOn(key.get());
        }
        return key.isPresent();
    }

    /**
     * Takes no new key and begins no new call that its limits count, which could outlast the drain; returns at once. Results
     * of calls in flight are still written.
     */
    public void stopAccepting() {
        stopping = true;
        limits.forEach(ConcurrencyLimits::close);
        queue.shutDown();
        wake();
    }

    /** Takes no new key, waits for in-flight work, and interrupts what is not finished in time. */
    public boolean stop(Duration drainWithin) throws InterruptedException {
        stopAccepting();
        boolean drained = queue.awaitIdle(drainWithin);
        if (!drained) {
            log.warn(
                    "Controller {} still reconciles {} keys {} after the stop; interrupting them",
                    name,
                    queue.inWork(),
                    DurationText.of(drainWithin));
        }
        threads.forEach(Thread::interrupt);
        return drained;
    }

    /** Waits until no worker reconciles any more; stop the controller first. */
    public void awaitWorkers() throws InterruptedException {
        for (Thread worker : threads) {
            worker.join();
        }
    }

    private void work() {
        while (!stopping) {
            try {
                if (awaitTurn()) {
                    Optional<K> key = queue.take();
                    if (key.isPresent()) {
                        workOn(key.get());
                    }
                }
            } catch (InterruptedException e) {
                // Only stopping ends a worker: an interrupt left behind by other code must not end it.
                log.debug("Worker of {} was interrupted, stopping: {}", name, stopping);
            }
        }
    }

    /** Waits until this process leads; false once the controller stops. */
    private synchronized boolean awaitTurn() throws InterruptedException {
        while (!stopping && !leadership.held()) {
            wait();
        }
        return !stopping;
    }

    private synchronized void wake() {
        notifyAll();
    }

    private void workOn(K key) throws InterruptedException {
        try (MDC.MDCCloseable _ = MDC.putCloseable("controller", name);
                MDC.MDCCloseable _ = MDC.putCloseable("key", key.toString())) {
            reconcile(key);
        } finally {
            limits.forEach(limit -> limit.finished(key));
            queue.done(key);
        }
    }

    private void reconcile(K key) throws InterruptedException {
        try {
            leadership.require();
            settle(key, reconciler.reconcile(key));
        } catch (LeadershipLostException e) {
            // Not a failure of the key: it waits in the queue, without back-off, in case this process leads again.
            log.debug("Adding {} again: {}", key, e.getMessage());
            queue.add(key);
        } catch (ApiException e) {
            settle(key, Result.of(e.error()));
        } catch (InterruptedException e) {
            queue.add(key);
            throw e;
        } catch (Throwable e) {
            // First of all the key: what follows may fail again, for example if there is no memory.
            Duration delay = queue.retry(key);
            threw.increment();
            log.error("Reconciling {} failed with an unexpected error; retrying in {}", key, DurationText.of(delay), e);
        }
    }

    private void settle(K key, Result result) {
        settled.computeIfAbsent(
                        result.getClass(), type -> counter(type.getSimpleName().toLowerCase(Locale.ROOT)))
                .increment();
        switch (result) {
            case Result.Done() -> {
                queue.forget(key);
                done.forEach(listener -> listener.accept(key));
            }
            case Result.Pending() -> queue.forget(key);
            case Result.RequeueAfter(Duration after) -> {
                queue.forget(key);
                queue.addAfter(key, after);
            }
            case Result.Retry(String message) -> {
                Duration delay = queue.retry(key);
                log.warn("Reconciling {} failed, retrying in {}: {}", key, DurationText.of(delay), message);
            }
            case Result.RequiresChange(String message) -> {
                queue.forget(key);
                log.warn("Reconciling {} failed and requires a change: {}", key, message);
            }
        }
    }

    private Counter counter(String result) {
        return Counter.builder("bucketwright.reconciles")
                .tags("controller", name, "result", result)
                .description("Reconciliations, by result; threw means an unexpected exception, which is a defect")
                .register(meters);
    }
}
