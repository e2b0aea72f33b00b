package io.bucketwright.runtime.cache;

import io.bucketwright.runtime.Moment;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Waits until an informer shows everything that was written before a moment. A list is a consistent read, so what is listed
 * after the moment is current. Otherwise a small list shows which version the API server has reached by now. An idle watch
 * shows that only with its next bookmark, which takes a minute, so another watch is opened that sends one at once. A server
 * that does not send it in time makes a list necessary.
 *
 * @param wanted whether to go on
 */
record CatchUp(Reflector<?> informer, InformerStore<?> store, Moment since, BooleanSupplier wanted) {

    /** How long a watch may take to show a version that the API server has reached, before everything is listed. */
    private static final Duration BOOKMARK_WITHIN = Duration.ofSeconds(3);

    /** How often it is asked whether to go on. */
    private static final Duration SLICE = Duration.ofSeconds(1);

    /** After so many failures the delay grows no more: a role that leads waits for this. */
    private static final int MOST_FAILURES = 2;

    /** Returns whether the informer is current; false if nobody wants to know any more. */
    boolean await() throws InterruptedException {
        // Before the first list there is no version to go on from, and that list may be all that is needed.
        if (!await(() -> !store.version().value().isEmpty())) {
            return false;
        }
        Optional<ResourceVersion> reached = Optional.empty();
        for (int failed = 0; !informer.isListedSince(since) && reached.isEmpty(); failed++) {
            if (!wanted.getAsBoolean()) {
                return false;
            }
            reached = informer.reached(Math.min(failed, MOST_FAILURES));
        }
        if (isCurrent(reached)) {
            return true;
        }
        Optional<ResourceVersion> version = reached;
        informer.reopen(false);
        if (store.await(() -> isCurrent(version), BOOKMARK_WITHIN)) {
            return true;
        }
        informer.reopen(true);
        return await(() -> isCurrent(version));
    }

    private boolean isCurrent(Optional<ResourceVersion> reached) {
        return informer.isListedSince(since)
                || reached.filter(version -> store.version().atLeast(version)).isPresent();
    }

    private boolean await(BooleanSupplier condition) throws InterruptedException {
        while (wanted.getAsBoolean()) {
            if (store.await(condition, SLICE)) {
                return true;
            }
        }
        return false;
    }
}
