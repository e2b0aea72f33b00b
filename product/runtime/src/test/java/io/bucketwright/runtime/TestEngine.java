package io.bucketwright.runtime;

import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.engine.Engine;
import io.bucketwright.runtime.engine.EngineRole;
import io.bucketwright.runtime.http.StatusServer;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.bucketwright.runtime.leader.Elector;
import io.bucketwright.runtime.leader.HolderProcess;
import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
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
        Engine engine,
        EngineRole role)
        implements AutoCloseable {

    public static TestEngine open(Config config) {
        return open(config, Duration.ofSeconds(20));
    }

    public static TestEngine open(Config config, Duration drainWithin) {
        return open(config, drainWithin, Keepalive.standard(), UnaryOperator.identity());
    }

    public static TestEngine open(
            Config config, Duration drainWithin, Keepalive keepalive, UnaryOperator<HttpClient.Factory> wrap) {
        SystemTime time = new SystemTime();
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        ApiConnection connection = new ApiConnection(config, keepalive, time, meters, wrap);
        ObjectCaches caches = new ObjectCaches(connection, meters);
        StatusServer server =
                new StatusServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), meters::scrape);
        Engine engine = new Engine(connection, caches, server, drainWithin);
        return new TestEngine(time, meters, connection, caches, server, engine, engine.role("test", caches));
    }

    /** The leadership of an elector that is started and stopped with the engine. */
    public Leadership elector(LeaseName name, String identity, LeaseTiming timing) {
        Elector elector = new Elector(name, identity, HolderProcess.unplaced(), timing, connection, time, meters);
        return role.with(elector, time);
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
        role.with(controller);
        return controller;
    }

    public void start() throws InterruptedException {
        engine.start();
        engine.awaitReady();
    }

    /** A page of the status server. */
    public java.net.http.HttpResponse<String> get(String path) throws IOException, InterruptedException {
        try (java.net.http.HttpClient http = java.net.http.HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
            return http.send(
                    java.net.http.HttpRequest.newBuilder(uri).build(),
                    java.net.http.HttpResponse.BodyHandlers.ofString());
        }
    }

    @Override
    public void close() {
        engine.close();
        time.close();
    }
}
