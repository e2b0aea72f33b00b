package io.bucketwright.cosi.adapter;

import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.grpc.Context;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits until a BucketAccessRequest is Bound, by watching that one object for as long as somebody waits. */
final class BoundAccessWaiter {

    /** How the waiting ended. */
    sealed interface Outcome {

        /** Access is granted. */
        record Open(BucketAccessRequest request) implements Outcome {}

        /** It is not, and why. */
        record Closed(String why) implements Outcome {}
    }

    private static final Logger log = LoggerFactory.getLogger(BoundAccessWaiter.class);

    private final KubernetesClient reader;
    private final Duration patience;

    BoundAccessWaiter(KubernetesClient reader, Duration patience) {
        this.reader = reader;
        this.patience = patience;
    }

    Outcome await(String namespace, String name) throws InterruptedException {
        CompletableFuture<BucketAccessRequest> bound = new CompletableFuture<>();
        AtomicReference<Optional<BucketAccessRequest>> last = new AtomicReference<>(Optional.empty());
        Context.CancellationListener hangUp = _ -> bound.cancel(false);
        Context.current().addListener(hangUp, Runnable::run);
        try (SharedIndexInformer<BucketAccessRequest> informer = reader.resources(BucketAccessRequest.class)
                .inNamespace(namespace)
                .withName(name)
                .runnableInformer(0)) {
            informer.exceptionHandler((_, problem) -> {
                        log.warn(
                                "BucketAccessRequest {}/{} cannot be watched now: {}",
                                namespace,
                                name,
                                problem.toString());
                        return true;
                    })
                    .addEventHandler(new Watching(bound, last));
            var _ = informer.start();
            return new Outcome.Open(bound.get(patience.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return new Outcome.Closed(why(namespace, name, last.get()));
        } catch (ExecutionException | CancellationException e) {
            return new Outcome.Closed(
                    "kubelet does not wait for BucketAccessRequest " + namespace + "/" + name + " any more");
        } finally {
            Context.current().removeListener(hangUp);
        }
    }

    private static boolean isBound(BucketAccessRequest request) {
        return request.phase() == BucketAccessRequestPhase.BOUND
                && request.getMetadata().getDeletionTimestamp() == null;
    }

    private String why(String namespace, String name, Optional<BucketAccessRequest> last) {
        String which = "BucketAccessRequest " + namespace + "/" + name;
        return last.map(request -> which + " is " + request.phase().text() + " after " + patience.toSeconds() + " s: "
                        + (request.status().message().isEmpty()
                                ? "it says no more"
                                : request.status().message()))
                .orElse("There is no " + which + ": create it, or correct the volume attribute "
                        + PublishRequest.ACCESS_REQUEST);
    }

    private record Watching(
            CompletableFuture<BucketAccessRequest> bound, AtomicReference<Optional<BucketAccessRequest>> last)
            implements ResourceEventHandler<BucketAccessRequest> {

        @Override
        public void onAdd(BucketAccessRequest request) {
            look(request);
        }

        @Override
        public void onUpdate(BucketAccessRequest before, BucketAccessRequest after) {
            look(after);
        }

        @Override
        public void onDelete(BucketAccessRequest request, boolean finalStateUnknown) {
            last.set(Optional.empty());
        }

        private void look(BucketAccessRequest request) {
            last.set(Optional.of(request));
            if (isBound(request)) {
                bound.complete(request);
            }
        }
    }
}
