package io.bucketwright.app.process;

import java.time.Duration;

/**
 * Returns memory to the machine that the heap no longer needs. The serial collector lets the old generation grow up to the
 * limit of the heap before it collects it, and never collects a process that is idle: what a start or a burst of work
 * leaves would stay resident for ever. So it is collected when garbage may exceed what is alive.
 */
final class HeapTrim {

    private static final Duration INTERVAL = Duration.ofSeconds(5);

    /** More than the young generation, which is collected by itself when it is full. */
    private static final long LEAST_GARBAGE = 10L << 20;

    private final Runnable collection;
    private long afterCollection;

    HeapTrim(Runnable collection) {
        this.collection = collection;
    }

    /** Trims the heap of this process for as long as it runs. */
    static void start() {
        HeapTrim trim = new HeapTrim(System::gc);
        Thread _ = Thread.ofVirtual().name("heap-trim").start(trim::run);
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(INTERVAL);
                Runtime heap = Runtime.getRuntime();
                if (isDue(heap.totalMemory() - heap.freeMemory())) {
                    collection.run();
                    collected(heap.totalMemory() - heap.freeMemory());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether that many used bytes may contain more garbage than objects that are alive. */
    boolean isDue(long used) {
        return used - afterCollection > Math.max(afterCollection, LEAST_GARBAGE);
    }

    /** Remembers how many bytes are in use after a collection. */
    void collected(long used) {
        afterCollection = used;
    }
}
