package io.bucketwright.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The clocks of the machine, and one thread that runs timers. */
public final class SystemTime implements TimeSource, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SystemTime.class);

    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("bucketwright-timer").factory());

    public SystemTime() {
        // Most alarms are cancelled (a key was worked on before its delay was over): without this they would pile up.
        timer.setRemoveOnCancelPolicy(true);
        // Threads that still run while the process closes may set an alarm. It must not throw; nothing is due any more.
        timer.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public Alarm after(Duration delay, Runnable task) {
        ScheduledFuture<?> future = timer.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            // The executor would keep the exception in a future that nobody reads.
            log.error("A timed task failed; this is a defect in the task, please report it", e);
        }
    }
}
