package io.bucketwright.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Repeats a flow with a fault at its first, second, third request and so on, until a run is too short for its fault. The
 * number of requests of a flow is never written into a test, so a request that is added later is covered too.
 */
public final class CrashLoop {

    /** Runs that are too short for their fault cost as much as the others: at most one of them is started. */
    private static final int AT_ONCE = 2;

    private static final int AT_ONCE_IN_THIS_JVM = 8;

    /** Test classes run in parallel; all loops of a JVM share these slots. */
    private static final Semaphore SLOTS = new Semaphore(AT_ONCE_IN_THIS_JVM, true);

    private CrashLoop() {}

    /** One run of the flow. */
    @FunctionalInterface
    public interface Run {
        /**
         * Runs the flow and checks its outcome. If several runs execute in parallel, each uses objects of its own.
         *
         * @param number of the request that fails, counted from 1
         * @return whether the fault fired: false if the flow finished with fewer requests
         */
        boolean fires(int number) throws Exception;
    }

    /**
     * Executes runs 1, 2, 3, … in parallel until the fault of one does not fire.
     *
     * @return the number of runs whose fault fired
     * @throws AssertionError if a run failed; it names the run
     */
    public static int untilNothingFires(Run run) throws InterruptedException {
        return untilNothingFires(AT_ONCE, run);
    }

    /**
     * Executes runs 1, 2, 3, … one after another until the fault of one does not fire: for processes that would act on the
     * objects of other runs.
     *
     * @return the number of runs whose fault fired
     * @throws AssertionError if a run failed; it names the run
     */
    public static int untilNothingFiresInOrder(Run run) throws InterruptedException {
        return untilNothingFires(1, run);
    }

    private static int untilNothingFires(int atOnce, Run run) throws InterruptedException {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            AtomicBoolean finished = new AtomicBoolean();
            Semaphore mine = new Semaphore(atOnce, true);
            List<Future<Boolean>> runs = new ArrayList<>();
            while (true) {
                mine.acquire();
                SLOTS.acquire();
                int number = runs.size() + 1;
                if (finished.get()) {
                    SLOTS.release();
                    return fired(runs);
                }
                runs.add(executor.submit(() -> {
                    boolean fires = false;
                    try {
                        fires = run.fires(number);
                        return fires;
                    } finally {
                        // A failed run ends the loop too: further runs would only delay the report.
                        finished.compareAndSet(false, !fires);
                        SLOTS.release();
                        mine.release();
                    }
                }));
            }
        }
    }

    private static int fired(List<Future<Boolean>> runs) throws InterruptedException {
        int fired = 0;
        for (int i = 0; i < runs.size(); i++) {
            try {
                fired += runs.get(i).get() ? 1 : 0;
            } catch (ExecutionException e) {
                throw new AssertionError("with a fault at request " + (i + 1) + ": " + e.getCause(), e.getCause());
            }
        }
        return fired;
    }
}
