package io.bucketwright.bench.run;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.bench.http.ApiClient;
import io.bucketwright.bench.http.ObjectWatch;
import io.bucketwright.bench.http.WatchEvent;
import io.bucketwright.bench.workload.WatchGoal;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;

/** When each object reached its goal, as a watch of the bench's own shows it. */
final class GoalWatch implements AutoCloseable {

    private static final Duration STALL = Duration.ofMinutes(2);
    private static final long POLL_MILLIS = 200;

    private final WatchGoal goal;
    private final Set<String> names;
    private final Map<String, Long> reached = new HashMap<>();
    private final ObjectWatch watch;

    /** @param names of the objects that count */
    GoalWatch(ApiClient admin, WatchGoal goal, Set<String> names) throws IOException {
        this.goal = goal;
        this.names = names;
        this.watch = admin.watch(goal.path(), this::observe);
    }

    /**
     * Waits until all objects have reached the goal.
     *
     * @param progress receives how many have, several times a second; it throws if they never will
     * @return the time of each, by {@link System#nanoTime}
     */
    synchronized Map<String, Long> await(IntConsumer progress) throws InterruptedException, IOException {
        long stalled = System.nanoTime() + STALL.toNanos();
        int before = 0;
        while (reached.size() < names.size()) {
            watch.requireRunning();
            progress.accept(reached.size());
            if (reached.size() > before) {
                before = reached.size();
                stalled = System.nanoTime() + STALL.toNanos();
            } else if (System.nanoTime() - stalled > 0) {
                throw new CommandException("Nothing has changed for " + STALL.toMinutes() + " minutes: "
                        + reached.size() + " of " + names.size() + " objects are done.");
            }
            wait(POLL_MILLIS);
        }
        return Map.copyOf(reached);
    }

    /** Waits until this object has reached the goal. */
    synchronized long awaitOne(String name, Runnable check) throws InterruptedException, IOException {
        long stalled = System.nanoTime() + STALL.toNanos();
        while (!reached.containsKey(name)) {
            watch.requireRunning();
            check.run();
            if (System.nanoTime() - stalled > 0) {
                throw new CommandException(
                        "The object " + name + " is not done after " + STALL.toMinutes() + " minutes.");
            }
            wait(POLL_MILLIS);
        }
        return reached.getOrDefault(name, 0L);
    }

    private synchronized void observe(WatchEvent event) {
        goal.reached().apply(event).filter(names::contains).ifPresent(name -> reached.putIfAbsent(name, event.nanos()));
        // Waking up for each of thousands of objects would cost time that is measured.
        if (reached.size() == names.size() || names.size() < 100) {
            notifyAll();
        }
    }

    @Override
    public void close() {
        watch.close();
    }
}
