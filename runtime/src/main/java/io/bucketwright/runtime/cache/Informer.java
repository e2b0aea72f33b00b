package io.bucketwright.runtime.cache;

import io.bucketwright.runtime.keepalive.WatchStatus;
import java.util.concurrent.CompletionStage;

/** Lists and watches the objects of one kind in one scope, and keeps an {@link InformerStore} up to date with them. */
public interface Informer {

    /** Begins in the background. Completes with the first list and watch, however long the API server is unavailable. */
    CompletionStage<Void> start();

    /** Whether it was started and has not ended: it ends only when closed. */
    boolean running();

    /** Why it cannot list or watch at present, in one sentence; empty if it can. */
    String problem();

    /** Whether the list and watch is lost, or refused by the API server. */
    default WatchStatus status() {
        return WatchStatus.healthy();
    }

    void close();
}
