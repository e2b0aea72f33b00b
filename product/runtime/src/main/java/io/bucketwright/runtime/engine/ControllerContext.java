package io.bucketwright.runtime.engine;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.ObjectReader;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.KeyedAction;
import io.bucketwright.runtime.controller.LoopReconciler;
import io.bucketwright.runtime.controller.PeriodicReconciler;
import io.bucketwright.runtime.controller.PeriodicTask;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.controller.RejectionReporter;
import io.bucketwright.runtime.controller.Step;
import io.bucketwright.runtime.controller.StepAction;
import io.bucketwright.runtime.controller.StepExecutor;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.metrics.RoleMetrics;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.fabric8.kubernetes.api.model.Namespace;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Everything that the controllers of one role are made of, and where they are registered. Connection, caches and metrics are
 * shared by all roles of the process; the leadership and the event recorder belong to the role. {@link ControllerProcess}
 * makes it, and tests on a server in memory.
 *
 * @param writer writes to the API server while this role leads
 * @param reader reads single objects from the API server
 * @param metrics those that every role has
 * @param registry receives each controller
 */
public record ControllerContext(
        ApiWriter writer,
        ObjectReader reader,
        ObjectCaches caches,
        Leadership leadership,
        EventRecorder events,
        TimeSource time,
        MeterRegistry meters,
        RoleMetrics metrics,
        RandomGenerator random,
        Consumer<Controller<?>> registry) {

    /** What this process knows about keys between two steps; pass it to {@link Controller#inFlight} as well. */
    public <K, S> InFlightState<K, S> inFlight(S initial) {
        return new InFlightState<>(leadership, initial, Backoff.standard(), time, random);
    }

    /** Registers a controller of the three parts of a {@link LoopReconciler}. Call watch before the process starts. */
    public <K, O, S> Controller<K> controller(
            String name, Function<K, O> observe, Function<O, Decision<S>> decide, StepAction<S> act) {
        return controller(queue(name), observe, decide, act);
    }

    /** The same, of the queue. */
    public <K, O, S> Controller<K> controller(
            WorkQueue<K> queue, Function<K, O> observe, Function<O, Decision<S>> decide, StepAction<S> act) {
        return controller(queue, new LoopReconciler<>(leadership, observe, decide, act));
    }

    /** The same, of a controller that only writes and reports. */
    public <K, O> Controller<K> controller(String name, Function<K, O> observe, Function<O, Decision<Step>> decide) {
        return controller(name, observe, decide, inFlight(""), Step.Call.class, (_, call) -> {
            throw new IllegalArgumentException("Controller " + name + " has no calls, got " + call);
        });
    }

    /** The same, of a controller with an in-flight state and the steps of {@link Step}. */
    public <K, O, C extends Step.Call> Controller<K> controller(
            String name,
            Function<K, O> observe,
            Function<O, Decision<Step>> decide,
            InFlightState<K, ?> states,
            Class<C> type,
            KeyedAction<K, C> calls) {
        StepExecutor<K, C> executor = new StepExecutor<>(writer, events, states, type, calls);
        return controller(name, new LoopReconciler<>(leadership, observe, decide, executor))
                .inFlight(states);
    }

    /** Registers a controller. Call watch before the process starts. */
    public <K> Controller<K> controller(String name, Reconciler<K> reconciler) {
        return controller(queue(name), reconciler);
    }

    /** The queue of a controller whose parts add keys, too. */
    public <K> WorkQueue<K> queue(String name) {
        return new WorkQueue<>(name, time, Backoff.standard(), random, meters);
    }

    /** Registers the controller of the queue. Call watch before the process starts. */
    public <K> Controller<K> controller(WorkQueue<K> queue, Reconciler<K> reconciler) {
        Controller<K> controller =
                new Controller<>(queue.name(), new RejectionReporter<>(reconciler, events), queue, leadership, meters);
        registry.accept(controller);
        return controller;
    }

    /** Registers a controller that repeats a task for each key that it watches, one key at a time. */
    public <K> Controller<K> periodic(WorkQueue<K> queue, Duration interval, PeriodicTask<K> task) {
        PeriodicReconciler<K> reconciler = new PeriodicReconciler<>(task, interval, time, random);
        return controller(queue, reconciler).knowing(reconciler::keys);
    }

    /** The id of the cluster: the uid of the namespace kube-system. It is watched, so it costs no read. */
    public Supplier<String> clusterId() {
        ObjectCache<Namespace> system =
                caches.of(Namespace.class, Scope.everything().named("kube-system"));
        return () -> system.get("", "kube-system")
                .map(namespace -> namespace.getMetadata().getUid())
                .orElseThrow(() -> new IllegalStateException("The namespace kube-system is not visible, and its uid"
                        + " is the id of the cluster: allow the service account to list and watch it"));
    }
}
