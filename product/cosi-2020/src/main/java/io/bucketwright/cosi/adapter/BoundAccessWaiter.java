package io.bucketwright.cosi.adapter;

import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.runtime.cache.CacheListener;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.cache.ShortWatch;
import io.bucketwright.runtime.objects.Metadata;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits until a BucketAccessRequest is Bound. It watches that one object only while a call waits. */
record BoundAccessWaiter(ObjectCaches caches, Duration patience) {

    /**
     * Returns the request when it is Bound.
     *
     * @throws StatusRuntimeException with the reason, if it is not Bound in time or kubelet cancels the call
     */
    BucketAccessRequest await(String namespace, String name) throws InterruptedException {
        String which = "BucketAccessRequest " + namespace + "/" + name;
        CompletableFuture<BucketAccessRequest> bound = new CompletableFuture<>();
        Context.CancellationListener cancel = _ -> bound.cancel(false);
        Context.current().addListener(cancel, Runnable::run);
        Scope scope = Scope.namespace(namespace).named(name);
        try (ShortWatch<BucketAccessRequest> watch =
                caches.watch(BucketAccessRequest.class, scope, new Watching(bound))) {
            return await(which, bound, watch);
        } catch (ExecutionException | CancellationException e) {
            throw unavailable("kubelet does not wait for " + which + " any more");
        } finally {
            Context.current().removeListener(cancel);
        }
    }

    private BucketAccessRequest await(
            String which, CompletableFuture<BucketAccessRequest> bound, ShortWatch<BucketAccessRequest> watch)
            throws InterruptedException, ExecutionException {
        try {
            return bound.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            String problem = watch.problem().isEmpty() ? "the API server has not answered" : watch.problem();
            throw unavailable(watch.list().stream()
                    .findFirst()
                    .map(request -> which + " is " + request.phase().text() + " after " + patience.toSeconds() + " s: "
                            + (request.status().message().isEmpty()
                                    ? "it has no message"
                                    : request.status().message()))
                    .orElseGet(() -> missing(which, watch.synced(), problem)));
        }
    }

    /** An empty cache means that there is no request only if the API server has listed it. */
    static String missing(String which, boolean listed, String problem) {
        return listed
                ? "There is no " + which + ": create it, or correct the volume attribute "
                        + PublishRequest.ACCESS_REQUEST
                : which + " cannot be read from the API server: " + problem
                        + ". Check the connection of the node adapter and its permission to list and watch"
                        + " BucketAccessRequests.";
    }

    private static StatusRuntimeException unavailable(String message) {
        return Status.UNAVAILABLE.withDescription(message).asRuntimeException();
    }

    private record Watching(CompletableFuture<BucketAccessRequest> bound)
            implements CacheListener<BucketAccessRequest> {
        @Override
        public void changed(BucketAccessRequest before, BucketAccessRequest after) {
            if (after.phase() == BucketAccessRequestPhase.BOUND && !Metadata.isBeingDeleted(after)) {
                bound.complete(after);
            }
        }

        @Override
        public void deleted(BucketAccessRequest last) {
            // The call waits for the next request of that name.
        }
    }
}
