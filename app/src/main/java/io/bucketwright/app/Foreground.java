package io.bucketwright.app;

import java.util.concurrent.CountDownLatch;

/** A process that works until it is told to stop, and whose end is waited for. */
public final class Foreground {

    private final CountDownLatch ended = new CountDownLatch(1);

    private Foreground() {}

    /** From now on a signal to stop closes it. */
    public static Foreground closing(Runnable close) {
        Foreground foreground = new Foreground();
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            close.run();
                            // Not an interrupt as well: it could reach the waiting thread first, as an error.
                            foreground.ended.countDown();
                        },
                        "shutdown"));
        return foreground;
    }

    public void awaitEnd() throws InterruptedException {
        ended.await();
    }
}
