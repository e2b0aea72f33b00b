package io.bucketwright.runtime;

import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.engine.Engine;
import io.bucketwright.runtime.http.StatusServer;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.fabric8.kubernetes.client.Config;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Random;

/** All parts of a process, wired as an application would, for tests against a real cluster. */
public final class TestEngine implements AutoCloseable {

    private final SystemTime time = new SystemTime();
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ApiConnection connection;
    private final ObjectCaches caches;
    private final StatusServer server;
    private final Engine engine;

    public TestEngine(Config config) {
        connection = ApiConnection.open(config, time, meters);
        caches = new ObjectCaches(connection.reader(), meters);
        server = new StatusServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), meters);
        engine = new Engine(connection, caches, server, Duration.ofSeconds(20), time);
    }

    public SystemTime time() {
        return time;
    }

    public PrometheusMeterRegistry meters() {
        return meters;
    }

    public ApiConnection connection() {
        return connection;
    }

    public ObjectCaches caches() {
        return caches;
    }

    public StatusServer server() {
        return server;
    }

    public Engine engine() {
        return engine;
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
