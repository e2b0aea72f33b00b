package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.CosiStatus;
import io.bucketwright.cosi.controller.accesses.AccessRequestDecision;
import io.bucketwright.cosi.controller.accesses.AccessRequestObserver;
import io.bucketwright.cosi.controller.accesses.BucketAccessDecision;
import io.bucketwright.cosi.controller.accesses.BucketAccessObserver;
import io.bucketwright.cosi.controller.buckets.BucketDecision;
import io.bucketwright.cosi.controller.buckets.BucketObserver;
import io.bucketwright.cosi.controller.objects.AccessSecrets;
import io.bucketwright.cosi.controller.objects.CosiCaches;
import io.bucketwright.cosi.controller.objects.ReconcileState;
import io.bucketwright.cosi.controller.objects.RelatedKeys;
import io.bucketwright.cosi.controller.requests.BucketRequestDecision;
import io.bucketwright.cosi.controller.requests.BucketRequestObserver;
import io.bucketwright.cosi.controller.steps.ControllerActs;
import io.bucketwright.cosi.controller.steps.ControllerStep;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.LoopReconciler;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.metrics.StatusLabels;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Registers the four controllers of COSI, one per kind. */
public final class CosiControllers {

    private CosiControllers() {}

    /** Registers the controllers; call it before the process starts. */
    public static void register(ControllerContext context, int workers) {
        CosiCaches caches = new CosiCaches(context.caches());
        AccessSecrets secrets = new AccessSecrets(caches);
        ReconcileState state = new ReconcileState();
        ControllerActs acts = ControllerActs.of(context, secrets, state);
        RelatedKeys related = new RelatedKeys(caches);

        count(context, "BucketRequest", caches.requests);
        count(context, "Bucket", caches.buckets);
        count(context, "BucketAccessRequest", caches.accessRequests);
        count(context, "BucketAccess", caches.accesses);

        Reconciler<ObjectKey> requests = loop(
                context,
                new BucketRequestObserver(caches, state, context.time())::observe,
                view -> new BucketRequestDecision(view).decide(),
                acts);
        context.controller("bucketrequests", forgetting(state, requests))
                .workers(workers)
                .watch(caches.requests, Function.identity())
                .watchRelated(caches.requests, related::requestsOf)
                .watchRelated(caches.buckets, related::requestsOf)
                .watchRelated(caches.classes, related::requestsOf)
                .watchRelated(caches.accesses, related::requestsOf)
                .watchRelated(caches.accessRequests, related::requestsOf)
                .watchRelated(caches.namespaces, related::requestsOf);

        Reconciler<ObjectKey> buckets = loop(
                context,
                new BucketObserver(caches, secrets, context.time())::observe,
                new BucketDecision()::decide,
                acts);
        context.controller("cosibuckets", buckets)
                .workers(workers)
                .watch(caches.buckets, Function.identity())
                .watchRelated(caches.requests, related::bucketsOf)
                .watchRelated(caches.accesses, related::bucketsOf)
                .watchRelated(caches.secrets, related::bucketsOf)
                .watchRelated(caches.namespaces, related::bucketsOf);

        Reconciler<ObjectKey> accessRequests = loop(
                context,
                new AccessRequestObserver(caches, secrets, state, context.time())::observe,
                new AccessRequestDecision()::decide,
                acts);
        context.controller("bucketaccessrequests", forgetting(state, accessRequests))
                .workers(workers)
                .watch(caches.accessRequests, Function.identity())
                .watchRelated(caches.requests, related::accessRequestsOf)
                .watchRelated(caches.buckets, related::accessRequestsOf)
                .watchRelated(caches.accesses, related::accessRequestsOf)
                .watchRelated(caches.accessClasses, related::accessRequestsOf)
                .watchRelated(caches.secrets, related::accessRequestsOf)
                .watchRelated(caches.namespaces, related::accessRequestsOf);

        Reconciler<ObjectKey> accesses = loop(
                context, new BucketAccessObserver(caches, secrets)::observe, new BucketAccessDecision()::decide, acts);
        context.controller("bucketaccesses", accesses)
                .workers(workers)
                .watch(caches.accesses, Function.identity())
                .watchRelated(caches.accessRequests, related::accessesOf)
                .watchRelated(caches.buckets, related::accessesOf)
                .watchRelated(caches.secrets, related::accessesOf);
    }

    private static <T extends CustomResource<?, CosiStatus>> void count(
            ControllerContext context, String kind, ObjectCache<T> objects) {
        context.metrics().claims(kind, () -> objects.list().stream().map(CosiControllers::labels));
    }

    private static StatusLabels labels(CustomResource<?, CosiStatus> object) {
        @Nullable CosiStatus given = object.getStatus();
        CosiStatus status = given == null ? CosiStatus.NONE : given;
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
