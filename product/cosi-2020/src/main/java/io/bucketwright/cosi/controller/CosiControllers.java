package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.CosiStatus;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.LoopReconciler;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.metrics.StatusLabels;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** Registers the four controllers of COSI, one per kind. */
final class CosiControllers {

    private CosiControllers() {}

    /** Registers the controllers; call it before the process starts. */
    public static void register(ControllerContext context, int workers) {
        CosiCaches caches = new CosiCaches(context.caches());
        AccessSecrets secrets = new AccessSecrets(caches);
        ReconcileState state = new ReconcileState();
        ControllerActs acts = ControllerActs.of(context, secrets, state);
        CosiObserver observer = new CosiObserver(caches, secrets, state, context.time());

        count(context, "BucketRequest", caches.requests);
        count(context, "Bucket", caches.buckets);
        count(context, "BucketAccessRequest", caches.accessRequests);
        count(context, "BucketAccess", caches.accesses);

        Reconciler<ObjectKey> requests =
                loop(context, observer::observeRequest, view -> new BucketRequestDecision(view).decide(), acts);
        context.controller("cosi-bucketrequest-controller", forgetting(state, requests))
                .workers(workers)
                .watch(caches.requests, Function.identity())
                .watchRelated(caches.requests, caches::requestsOf)
                .watchRelated(caches.buckets, caches::requestsOf)
                .watchRelated(caches.classes, caches::requestsOf)
                .watchRelated(caches.accesses, caches::requestsOf)
                .watchRelated(caches.accessRequests, caches::requestsOf)
                .watchRelated(caches.namespaces, caches::requestsOf);

        Reconciler<ObjectKey> buckets = loop(context, observer::observeBucket, new BucketDecision()::decide, acts);
        context.controller("cosi-bucket-controller", buckets)
                .workers(workers)
                .tenants(key -> caches.buckets
                        .get("", key.name())
                        .flatMap(bucket -> bucket.getSpec().creator())
                        .map(BucketRequestRef::namespace))
                .watch(caches.buckets, Function.identity())
                .watchRelated(caches.requests, caches::bucketsOf)
                .watchRelated(caches.accesses, caches::bucketsOf)
                .watchRelated(caches.secrets, caches::bucketsOf)
                .watchRelated(caches.namespaces, caches::bucketsOf);

        Reconciler<ObjectKey> accessRequests =
                loop(context, observer::observeAccessRequest, view -> new AccessRequestDecision(view).decide(), acts);
        context.controller("cosi-bucketaccessrequest-controller", forgetting(state, accessRequests))
                .workers(workers)
                .watch(caches.accessRequests, Function.identity())
                .watchRelated(caches.requests, caches::accessRequestsOf)
                .watchRelated(caches.buckets, caches::accessRequestsOf)
                .watchRelated(caches.accesses, caches::accessRequestsOf)
                .watchRelated(caches.accessClasses, caches::accessRequestsOf)
                .watchRelated(caches.secrets, caches::accessRequestsOf)
                .watchRelated(caches.namespaces, caches::accessRequestsOf);

        Reconciler<ObjectKey> accesses =
                loop(context, observer::observeAccess, new BucketAccessDecision()::decide, acts);
        context.controller("cosi-bucketaccess-controller", accesses)
                .workers(workers)
                .tenants(key -> caches.accesses
                        .get("", key.name())
                        .map(access -> access.getSpec().bucketAccessRequestNamespace()))
                .watch(caches.accesses, Function.identity())
                .watchRelated(caches.accessRequests, caches::accessesOf)
                .watchRelated(caches.buckets, caches::accessesOf)
                .watchRelated(caches.secrets, caches::accessesOf);
    }

    private static <T extends CustomResource<?, CosiStatus>> void count(
            ControllerContext context, String kind, ObjectCache<T> objects) {
        context.metrics().claims(kind, () -> objects.list().stream().map(CosiControllers::labels));
    }

    private static StatusLabels labels(CustomResource<?, CosiStatus> object) {
        CosiStatus status = Objects.requireNonNullElse(object.getStatus(), CosiStatus.NONE);
        return StatusLabels.of(
                object, status.phase().isEmpty() ? StatusLabels.PENDING : status.phase(), status.conditions());
    }

    /** The loop of one kind. The view of an object that no longer exists is empty: there is nothing to do. */
    private static <V> Reconciler<ObjectKey> loop(
            ControllerContext context,
            Function<ObjectKey, Optional<V>> observe,
            Function<V, Decision<ControllerStep>> decide,
            ControllerActs acts) {
        return new LoopReconciler<>(
                context.leadership(), observe, view -> view.map(decide).orElseGet(Decision::done), acts::act);
    }

    private static Reconciler<ObjectKey> forgetting(ReconcileState state, Reconciler<ObjectKey> reconciler) {
        return key -> {
            try {
                return reconciler.reconcile(key);
            } finally {
                state.forget(key.uid());
            }
        };
    }
}
