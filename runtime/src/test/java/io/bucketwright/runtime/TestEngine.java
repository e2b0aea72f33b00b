package io.bucketwright.runtime;

import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.engine.Engine;
import io.bucketwright.runtime.http.StatusServer;
import io.bucketwright.runtime.leader.Elector;
import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.fabric8.kubernetes.client.Config;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Random;
import java.util.function.UnaryOperator;

/** All parts of a process, wired as an application would, for tests against a real cluster. */
public record TestEngine(
        SystemTime time,
        PrometheusMeterRegistry meters,
        ApiConnection connection,
        ObjectCaches caches,
        StatusServer server,
        Engine engine)
        implements AutoCloseable {

    public static TestEngine open(Config config) {
        SystemTime time = new SystemTime();
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        ApiConnection connection = new ApiConnection(config, time, meters, UnaryOperator.identity());
        ObjectCaches caches = new ObjectCaches(connection.reader(), meters);
        StatusServer server = new StatusServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), meters);
        Engine engine = new Engine(connection, caches, server, Duration.ofSeconds(20), time);
        return new TestEngine(time, meters, connection, caches, server, engine);
    }

    /** The leadership of an elector that is started and stopped with the engine. */
    public Leadership elector(LeaseName name, String identity, LeaseTiming timing) {
        Elector elector = new Elector(name, identity, timing, connection, time, meters);
        engine.with(elector);
        return elector.leadership();
    }

    public ApiWriter writer(Leadership leadership) {
        return connection.writer(leadership, caches);
    }

    public <K> WorkQueue<K> queue(String name) {
        return new WorkQueue<>(name, time, Backoff.standard(), new Random(), meters);
    }

    public <K> Controller<K> controller(
            String name, Reconciler<K> reconciler, WorkQueue<K> queue, Leadership leadership, int workers) {
        Controller<K> controller = new Controller<>(name, reconciler, queue, leadership, meters).workers(workers);
        engine.with(controller);
        return controller;
    }

    public void start() throws InterruptedException {
        engine.start();
        engine.awaitReady();
    }

    @Override
    public void close() {
        engine.close();
        time.close();
    }
}
