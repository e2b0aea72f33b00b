package io.bucketwright.store.s3;

import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Sends a few requests at a time. More would slow down the other users of the store. */
final class ParallelRequests implements AutoCloseable {

    static final int PARALLEL = 4;

    private final ExecutorService threads =
            Executors.newFixedThreadPool(PARALLEL, Thread.ofVirtual().factory());

    /**
     * The responses, in the order of the requests. Waits for all of them, also if one fails: none is in flight after that.
     *
     * @throws StoreException of the first request that failed
     */
    <T> List<T> send(List<Callable<T>> requests) {
        List<T> responses = new ArrayList<>();
        try {
            for (Future<T> request : threads.invokeAll(requests)) {
                responses.add(request.get());
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StoreException failed ? failed : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable("The call was cancelled.", e);
        }
        return responses;
    }

    @Override
    public void close() {
        threads.close();
    }
}
