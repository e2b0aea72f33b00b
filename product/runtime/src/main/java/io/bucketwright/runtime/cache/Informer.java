package io.bucketwright.runtime.cache;

import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.keepalive.WatchStatus;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** Lists and watches the objects of one kind in one scope, and keeps an {@link InformerStore} up to date with them. */
public interface Informer {

    /** Begins in the background. */
    void start();

    /** Completes with the first list and watch, however long the API server is unavailable; fails only when closed before. */
    CompletableFuture<Void> listed();

    /**
     * Makes sure that the store shows everything that was written before a moment, by whomever. Completes with true when it
     * does, at once if it was listed after that moment, and with false if nobody wants to know any more.
     *
     * @param since on the monotonic clock
     * @param wanted asked every few seconds
     */
    CompletableFuture<Boolean> current(Moment since, BooleanSupplier wanted);

    /** Whether it was started and has not ended: it ends only when closed. */
    default boolean running() {
        return true;
    }

    /** Why it cannot list or watch at present, in one sentence; empty if it can. */
    default String problem() {
        return "";
    }

    /** Whether the list and watch is lost, or refused by the API server. */
    default WatchStatus status() {
        return WatchStatus.healthy();
    }

    void close();
}
