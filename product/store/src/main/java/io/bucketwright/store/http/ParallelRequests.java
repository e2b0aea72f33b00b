package io.bucketwright.store.http;

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
public final class ParallelRequests implements AutoCloseable {

    private final ExecutorService threads;

    public ParallelRequests(int parallel) {
        this.threads = Executors.newFixedThreadPool(parallel, Thread.ofVirtual().factory());
    }

    /**
     * The responses, in the order of the requests. Waits for all of them, also if one fails: none is in flight after that.
     *
     * @throws StoreException of the first request that failed
     */
    public <T> List<T> send(List<Callable<T>> requests) {
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
