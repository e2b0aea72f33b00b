package io.bucketwright.runtime.engine;

import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.runtime.http.Health;
import io.bucketwright.runtime.http.StatusServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and stops everything in a process. Each role tries to acquire its lease once, and starts when its caches are synced; {@link #close} accepts no more keys,
 * finishes in-flight work, writes the last events, releases the leases, and only then stops informers and connection. A lease
 * is not released, and the address of the status server not given up, while work is in flight.
 */
public final class Engine implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Engine.class);

    /** Short against any grace period, long enough for a slow API server. */
    private static final Duration LAST_EVENTS = Duration.ofSeconds(2);

    private static final Duration RELEASE = Duration.ofSeconds(4);
    /** How long listing waits for the first attempt to acquire the leases. */
    private static final Duration FIRST_ATTEMPT = Duration.ofSeconds(2);

    private static final Duration AFTER_INTERRUPT = Duration.ofMillis(500);

    @FunctionalInterface
    private interface Closing {
        void run(EngineRole role) throws InterruptedException;
    }

    private final ApiConnection connection;
    private final ObjectCaches caches;
    private final StatusServer server;
    private final Duration drainWithin;
    private final List<EngineRole> roles = new ArrayList<>();
    /** Roles may be added until it starts, some after the answer of a driver: what is ready before says nothing about them. */
    private volatile boolean started;

    private volatile boolean closing;

    /**
     * An engine without roles.
     *
     * @param drainWithin how long {@link #close} waits for in-flight work; it takes at most seven seconds longer in all
     */
    public Engine(ApiConnection connection, ObjectCaches caches, StatusServer server, Duration drainWithin) {
        this.connection = connection;
        this.caches = caches;
        this.server = server;
        this.drainWithin = drainWithin;
        server.ready("api-server", () -> {
            Duration silence = connection.activity().silence();
            return connection.activity().isLost()
                    ? Health.unhealthy("no response from " + connection.url() + " for " + silence.toSeconds() + " s")
                    : Health.healthy();
        });
        server.ready("running", this::running);
        server.live("informers", () -> noneOf(closing ? List.of() : caches.ended(), "informers ended"));
        server.live(
                "watches",
                () -> noneOf(caches.stuck(), "watches silent or rejected (401) for minutes, and not reconnected"));
    }

    /**
     * A role of this process.
     *
     * @param name in health checks
     * @param roleCaches what the role reads; see {@link ObjectCaches#ofRole}
     */
    public EngineRole role(String name, ObjectCaches roleCaches) {
        long same = roles.stream().filter(other -> other.name().equals(name)).count();
        EngineRole role = new EngineRole(same == 0 ? name : name + "-" + (same + 1), roleCaches);
        roles.add(role);
        server.ready(role.name(), role::ready);
        server.live(role.name(), role::alive);
        return role;
    }

    private Health running() {
        if (closing) {
            return Health.unhealthy("the process is stopping");
        }
        return started ? Health.healthy() : Health.unhealthy("the process is starting");
    }

    /** Starts everything; returns at once, also while the API server is unavailable. */
    public void start() {
        started = true;
        roles.forEach(EngineRole::tryToLead);
        roles.forEach(EngineRole::start);
        Thread.ofVirtual().name("start").start(this::list);
    }

    /** What is listed after the lease was acquired is current, so the leases come first, if they can be had at once. */
    private void list() {
        long end = System.nanoTime() + FIRST_ATTEMPT.toNanos();
        try {
            for (EngineRole role : roles) {
                role.awaitAttempt(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            log.debug("Interrupted while starting; listing all the same", e);
        }
        caches.start();
    }

    /** Waits until the controllers of all roles run, or would run if this process led. */
    public void awaitReady() throws InterruptedException {
        for (EngineRole role : roles) {
            role.working().await();
        }
    }

    /** Waits until the controllers of all roles run; false if that takes longer than the timeout. */
    boolean awaitReady(Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        for (EngineRole role : roles) {
            if (!role.working().await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        closing = true;
        // All controllers share one deadline.
        roles.forEach(EngineRole::stopAccepting);
        boolean interrupted = forAllRoles(role -> role.drain(drainWithin), drainWithin.plus(AFTER_INTERRUPT));
        interrupted |= forAllRoles(role -> role.drainEvents(LAST_EVENTS), LAST_EVENTS);
        interrupted |= forAllRoles(EngineRole::leave, RELEASE);
        roles.forEach(EngineRole::closeEvents);
        caches.close();
        connection.close();
        closeServer();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A process that can listen at this address takes the leases at once, so no work of this one may be in flight then. */
    private void closeServer() {
        if (roles.stream().allMatch(EngineRole::isDrained)) {
            server.close();
            return;
        }
        Thread.ofVirtual().name("stop-status").start(() -> {
            for (EngineRole role : roles) {
                run(EngineRole::awaitWorkers, role);
            }
            server.close();
        });
    }

    /**
     * Does it for all roles at the same time, not longer than the time given even if a role takes longer. Returns whether this
     * thread was interrupted, which ends the step but not the steps that follow.
     */
    private boolean forAllRoles(Closing step, Duration atMost) {
        List<Thread> threads = roles.stream()
                .map(role -> Thread.ofVirtual().name("stop-" + role.name()).start(() -> run(step, role)))
                .toList();
        long end = System.nanoTime() + atMost.toNanos();
        try {
            for (Thread thread : threads) {
                if (!thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())))) {
                    log.warn("{} did not finish in time; the shutdown continues without it", thread.getName());
                }
            }
            return false;
        } catch (InterruptedException e) {
            log.warn("Interrupted while stopping; unfinished work is left for the next leader");
            threads.forEach(Thread::interrupt);
            return true;
        }
    }

    private static void run(Closing step, EngineRole role) {
        try {
            step.run(role);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Health noneOf(List<String> kinds, String problem) {
        return kinds.isEmpty() ? Health.healthy() : Health.unhealthy(problem + ": " + String.join(", ", kinds));
    }
}
