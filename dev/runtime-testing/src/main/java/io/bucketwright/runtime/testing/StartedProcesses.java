package io.bucketwright.runtime.testing;

import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.leader.LeaseTiming;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/** The controller processes that a test against a real cluster has started. Closing it ends them, the newest first. */
public final class StartedProcesses implements AutoCloseable {

    /** A lease that a second process takes over within a few seconds. */
    public static final LeaseTiming SHORT_LEASE =
            new LeaseTiming(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(500));

    private final Deque<ControllerProcess> open = new ConcurrentLinkedDeque<>();

    /** Starts a process and waits until it is ready. */
    public ControllerProcess start(ControllerProcess process) {
        open.push(process.start());
        try {
            process.awaitReady();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return process;
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }
}
