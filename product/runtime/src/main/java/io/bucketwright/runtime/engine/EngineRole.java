package io.bucketwright.runtime.engine;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.http.Health;
import io.bucketwright.runtime.leader.Elector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One role of a process: it starts when its own caches are synced, whatever is missing for other roles. */
public final class EngineRole {

    private static final Logger log = LoggerFactory.getLogger(EngineRole.class);

    private final String name;
    private final ObjectCaches caches;
    private final List<Controller<?>> controllers = new CopyOnWriteArrayList<>();
    private final CountDownLatch working = new CountDownLatch(1);
    private @Nullable Elector elector;
    private @Nullable TermBarrier barrier;
    private @Nullable EventRecorder recorder;
    private volatile boolean closing;
    private volatile boolean drained = true;

    EngineRole(String name, ObjectCaches caches) {
        this.name = name;
        this.caches = caches;
    }

    public void with(Controller<?> controller) {
        controllers.add(controller);
    }

    /**
     * Elects a leader for this role; a process whose watches are lost does not lead. Returns the leadership of the controllers:
     * they work only while the process leads and its caches are current.
     */
    public Leadership with(Elector election, TimeSource time) {
        elector = election.onlyWhile(() -> !caches.isLost());
        barrier = new TermBarrier(election.leadership(), caches, time);
        return barrier;
    }

    public void with(EventRecorder events) {
        recorder = events;
    }

    String name() {
        return name;
    }

    CountDownLatch working() {
        return working;
    }

    /** Tries to acquire the lease before anything is listed: such lists are current, and nothing needs to be read for that. */
    void tryToLead() {
        if (elector != null) {
            elector.tryOnce();
        }
    }

    void awaitAttempt(Duration atMost) throws InterruptedException {
        if (elector != null && !elector.awaitAttempt(atMost)) {
            log.debug("Nobody knows yet whether this process leads {}; its caches are listed all the same", name);
        }
    }

    void start() {
        Thread.ofVirtual().name("start-" + name).start(this::workOnceSynced);
    }

    private void workOnceSynced() {
        try {
            if (caches.awaitSynced() && !closing) {
                controllers.forEach(Controller::start);
                if (elector != null) {
                    // Last: an elected leader must be able to work at once.
                    elector.start();
                }
                working.countDown();
            }
        } catch (InterruptedException e) {
            log.debug("Stopped {} before its caches were synced", name);
        }
    }

    /** Which cache, kind or permission is missing, or which watch is lost. */
    Health ready() {
        List<String> problems = new ArrayList<>(caches.problems());
        if (barrier != null) {
            barrier.delayed()
                    .map(waited -> "leads, but does nothing yet: its caches are older than its lease since "
                            + waited.toSeconds() + " s")
                    .ifPresent(problems::add);
        }
        return problems.isEmpty() ? Health.healthy() : Health.unhealthy(String.join("; ", problems));
    }

    /** Whether everything that was started still runs. */
    Health alive() {
        List<String> dead = controllers.stream()
                .filter(controller -> controller.deadWorkers() > 0)
                .map(controller -> controller.deadWorkers() + " workers of " + controller.name() + " ended")
                .toList();
        if (!dead.isEmpty()) {
            return Health.unhealthy(String.join("; ", dead));
        }
        if (elector != null && !elector.isAlive()) {
            return Health.unhealthy("the election of a leader ended");
        }
        return recorder == null || recorder.isAlive() || closing
                ? Health.healthy()
                : Health.unhealthy("the writer of events ended");
    }

    /** Takes no new key; returns at once. */
    void stopAccepting() {
        closing = true;
        // Until the opposite is known: an interrupt or a late start of the drain must not look like an end of the work.
        drained = false;
        controllers.forEach(Controller::stopAccepting);
    }

    /** Waits for in-flight work for that long, and interrupts what is not finished. */
    void drain(Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        boolean all = true;
        for (Controller<?> controller : controllers) {
            all &= controller.stop(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
        }
        drained = all;
    }

    /** Whether no work of this role was in flight when it was drained. */
    boolean isDrained() {
        return drained;
    }

    /** Waits for work that was in flight when the drain ended. */
    void awaitWorkers() throws InterruptedException {
        for (Controller<?> controller : controllers) {
            controller.awaitWorkers();
        }
    }

    /** Writes the last events, within that time. */
    void drainEvents(Duration atMost) throws InterruptedException {
        if (recorder != null) {
            recorder.drain(atMost);
        }
    }

    /** Ends the election: releases the lease only if no work is in flight. */
    void leave() {
        if (elector == null) {
            return;
        }
        if (drained) {
            elector.close();
        } else {
            elector.closeWithoutRelease();
        }
    }

    void closeEvents() {
        if (recorder != null) {
            recorder.close();
        }
    }
}
