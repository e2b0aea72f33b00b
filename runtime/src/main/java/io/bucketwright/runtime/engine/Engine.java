package io.bucketwright.runtime.engine;

import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.http.Health;
import io.bucketwright.runtime.http.StatusServer;
import io.bucketwright.runtime.leader.Elector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and stops everything in a process. Controllers start when all caches are synced; {@link #close} accepts no more
 * keys, finishes in-flight work, writes the last events, releases the leases, and only then stops informers and connection.
 */
public final class Engine implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Engine.class);

    /** Short against any grace period, long enough for a slow API server. */
    private static final Duration LAST_EVENTS = Duration.ofSeconds(2);

    private final ApiConnection connection;
    private final ObjectCaches caches;
    private final StatusServer server;
    private final Duration drainWithin;
    private final TimeSource time;
    private final List<Controller<?>> controllers = new ArrayList<>();
    private final List<Elector> electors = new ArrayList<>();
    private final List<EventRecorder> recorders = new ArrayList<>();
    private final CountDownLatch working = new CountDownLatch(1);
    private volatile boolean closing;

    public Engine(
            ApiConnection connection, ObjectCaches caches, StatusServer server, Duration drainWithin, TimeSource time) {
        this.connection = connection;
        this.caches = caches;
        this.server = server;
        this.drainWithin = drainWithin;
        this.time = time;
        server.ready("caches", () -> noneOf(caches.missing(), "not listed yet"));
        server.ready("running", () -> closing ? Health.unhealthy("the process is stopping") : Health.healthy());
        server.live("informers", () -> noneOf(closing ? List.of() : caches.ended(), "informers ended"));
    }

    public void with(Controller<?> controller) {
        controllers.add(controller);
    }

    public void with(Elector elector) {
        electors.add(elector);
    }

    public void with(EventRecorder recorder) {
        recorders.add(recorder);
    }

    /** Starts everything; returns at once, also while the API server is unavailable. */
    public void start() {
        caches.start();
        Thread.ofVirtual().name("engine-start").start(this::workOnceSynced);
    }

    /** Waits until the controllers run, or would run if this process led. */
    public void awaitReady() throws InterruptedException {
        working.await();
    }

    /** Waits until the controllers run; false if that takes longer than the timeout. */
    boolean awaitReady(Duration timeout) throws InterruptedException {
        return working.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        closing = true;
        try {
            stopWorking();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            log.warn(
                    "Interrupted while stopping; leases are released now, and unfinished work is left for the next leader");
        }
        electors.forEach(Elector::close);
        recorders.forEach(EventRecorder::close);
        caches.close();
        connection.close();
        server.close();
    }

    private void stopWorking() throws InterruptedException {
        long deadline = time.nanos() + drainWithin.toNanos();
        // All controllers share one deadline.
        controllers.forEach(Controller::stopAccepting);
        for (Controller<?> controller : controllers) {
            controller.stop(Duration.ofNanos(Math.max(0, deadline - time.nanos())));
        }
        for (EventRecorder recorder : recorders) {
            recorder.drain(LAST_EVENTS);
        }
    }

    private void workOnceSynced() {
        try {
            if (caches.awaitSynced() && !closing) {
                controllers.forEach(Controller::start);
                // Last: an elected leader must be able to work at once.
                electors.forEach(Elector::start);
                working.countDown();
            }
        } catch (InterruptedException e) {
            log.debug("Stopped before the caches were synced");
        }
    }

    private static Health noneOf(List<String> kinds, String problem) {
        return kinds.isEmpty() ? Health.healthy() : Health.unhealthy(problem + ": " + String.join(", ", kinds));
    }
}
