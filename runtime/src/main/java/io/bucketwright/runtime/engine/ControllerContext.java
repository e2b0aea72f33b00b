package io.bucketwright.runtime.engine;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.ObjectReader;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.LoopReconciler;
import io.bucketwright.runtime.controller.PeriodicReconciler;
import io.bucketwright.runtime.controller.PeriodicTask;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;

/**
 * Everything that the controllers of one role are made of, and where they are registered. Connection, caches and metrics are
 * shared by all roles of the process; the leadership and the event recorder belong to the role.
 */
public final class ControllerContext {

    private final ObjectCaches caches;
    private final Leadership leadership;
    private final EventRecorder events;
    private final TimeSource time;
    private final MeterRegistry meters;
    private final ApiWriter writer;
    private final ObjectReader reader;
    private final Consumer<Controller<?>> registry;
    private final RandomGenerator random;

    /** A context of these parts; {@link ControllerProcess} makes it, and tests on a server in memory. */
    @API(status = API.Status.INTERNAL)
    public ControllerContext(
            ApiWriter writer,
            ObjectReader reader,
            ObjectCaches caches,
            Leadership leadership,
            EventRecorder events,
            TimeSource time,
            MeterRegistry meters,
            RandomGenerator random,
            Consumer<Controller<?>> registry) {
        this.caches = caches;
        this.leadership = leadership;
        this.events = events;
        this.time = time;
        this.meters = meters;
        this.writer = writer;
        this.reader = reader;
        this.registry = registry;
        this.random = random;
    }

    public ObjectCaches caches() {
        return caches;
    }

    public Leadership leadership() {
        return leadership;
    }

    public EventRecorder events() {
        return events;
    }

    public TimeSource time() {
        return time;
    }

    public MeterRegistry meters() {
        return meters;
    }

    /** Writes to the API server while this role leads. */
    public ApiWriter writer() {
        return writer;
    }

    /** Reads single objects from the API server. */
    public ObjectReader reader() {
        return reader;
    }

    /** What this process knows about keys between two steps; pass it to {@link Controller#inFlight} as well. */
    public <K, S> InFlightState<K, S> inFlight(S initial) {
        return new InFlightState<>(leadership, initial, Backoff.standard(), time, random);
    }

    /** Registers a controller that observes, decides and acts. Call watch before the process starts. */
    public <K, O, S> Controller<K> controller(String name, DecisionLoop<K, O, S> loop) {
        return controller(name, new LoopReconciler<>(loop, leadership));
    }

    /** Registers a controller. Call watch before the process starts. */
    public <K> Controller<K> controller(String name, Reconciler<K> reconciler) {
        WorkQueue<K> queue = new WorkQueue<>(name, time, Backoff.standard(), random, meters);
        Controller<K> controller = new Controller<>(name, reconciler, queue, leadership, 1, meters);
        registry.accept(controller);
        return controller;
    }

    /** Registers a controller that repeats a task for each key that it watches, one key at a time. */
    public <K> Controller<K> periodic(String name, Duration interval, PeriodicTask<K> task) {
        return controller(name, new PeriodicReconciler<>(task, interval, time, random));
    }
}
