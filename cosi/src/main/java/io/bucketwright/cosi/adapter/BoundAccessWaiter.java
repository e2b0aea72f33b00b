package io.bucketwright.cosi.adapter;

import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits until a BucketAccessRequest is Bound. It watches that one object only while a call waits. */
record BoundAccessWaiter(ObjectCaches caches, Duration patience) {

    private static final Logger log = LoggerFactory.getLogger(BoundAccessWaiter.class);

    /**
     * Returns the request when it is Bound.
     *
     * @throws StatusRuntimeException with the reason, if it is not Bound in time or kubelet cancels the call
     */
    BucketAccessRequest await(String namespace, String name) throws InterruptedException {
        String which = "BucketAccessRequest " + namespace + "/" + name;
        CompletableFuture<BucketAccessRequest> bound = new CompletableFuture<>();
        AtomicReference<String> problem = new AtomicReference<>("the API server has not answered");
        Context.CancellationListener cancel = _ -> bound.cancel(false);
        Context.current().addListener(cancel, Runnable::run);
        try (SharedIndexInformer<BucketAccessRequest> informer = caches.informer(
                BucketAccessRequest.class, Scope.namespace(namespace).named(name))) {
            informer.exceptionHandler((_, failure) -> {
                        log.warn("{} cannot be watched now: {}", which, failure.toString());
                        problem.set(failure.toString());
                        return true;
                    })
                    .addEventHandler(new Watching(bound));
            var _ = informer.start();
            return await(which, bound, informer, problem);
        } catch (ExecutionException | CancellationException e) {
            throw unavailable("kubelet does not wait for " + which + " any more");
        } finally {
            Context.current().removeListener(cancel);
        }
    }

    private BucketAccessRequest await(
            String which,
            CompletableFuture<BucketAccessRequest> bound,
            SharedIndexInformer<BucketAccessRequest> informer,
            AtomicReference<String> problem)
            throws InterruptedException, ExecutionException {
        try {
            return bound.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw unavailable(informer.getStore().list().stream()
                    .findFirst()
                    .map(request -> which + " is " + request.phase().text() + " after " + patience.toSeconds() + " s: "
                            + (request.status().message().isEmpty()
                                    ? "it has no message"
                                    : request.status().message()))
                    .orElseGet(() -> missing(which, informer.lastSyncResourceVersion() != null, problem.get())));
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
            implements ResourceEventHandler<BucketAccessRequest> {
        @Override
        public void onAdd(BucketAccessRequest request) {
            if (request.phase() == BucketAccessRequestPhase.BOUND && !Metadata.isBeingDeleted(request)) {
                bound.complete(request);
            }
        }

        @Override
        public void onUpdate(BucketAccessRequest before, BucketAccessRequest after) {
            onAdd(after);
        }

        @Override
        public void onDelete(BucketAccessRequest request, boolean finalStateUnknown) {
            // The call waits for the next request of that name.
        }
    }
}
