package io.bucketwright.cosi.controller;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.LoopReconciler;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.Function;

/** Puts the four loops together from the parts of a process. */
public final class CosiLoops {

    private final ControllerContext parts;
    private final int workers;
    private final Acts acts;

    private CosiLoops(ControllerContext parts, int workers, Acts acts) {
        this.parts = parts;
        this.workers = workers;
        this.acts = acts;
    }

    /** The controllers, ready to be given to an engine; call it before the caches start. */
    public static List<Controller<ObjectKey>> of(ControllerContext parts, int workers) {
        CosiCaches caches = new CosiCaches(parts.caches());
        Related related = new Related(caches);
        Secrets secrets = new Secrets(caches);
        ForeignSecrets foreign = new ForeignSecrets();
        TakenNames names = new TakenNames();
        Observer observer = new Observer(caches, secrets, foreign, names, parts.time());
        ApiWriter writer = parts.connection().writer(parts.leadership(), parts.caches());
        SecretCopies copies =
                new SecretCopies(secrets, writer, parts.connection().reader(), foreign);
        CosiLoops loops = new CosiLoops(
                parts,
                workers,
                new Acts(writer, parts.events(), copies, names, new Operations(parts.meters()), parts.time()));

        Controller<ObjectKey> requests = loops.controller(
                        "bucketrequests",
                        releasing(names, loops.reconciler(observer::request, new RequestDecision()::decide)))
                .watch(caches.requests, Function.identity())
                .watchRelated(caches.requests, related::requestsOf)
                .watchRelated(caches.buckets, related::requestsOf)
                .watchRelated(caches.classes, related::requestsOf)
                .watchRelated(caches.accesses, related::requestsOf)
                .watchRelated(caches.accessRequests, related::requestsOf)
                .watchRelated(caches.namespaces, related::requestsOf);
        Controller<ObjectKey> buckets = loops.controller(
                        "cosibuckets", loops.reconciler(observer::bucket, new BucketDecision()::decide))
                .watch(caches.buckets, Function.identity())
                .watchRelated(caches.requests, related::bucketsOf)
                .watchRelated(caches.accesses, related::bucketsOf)
                .watchRelated(caches.secrets, related::bucketsOf);
        Reconciler<ObjectKey> accessRequestLoop =
                releasing(names, loops.reconciler(observer::accessRequest, new AccessRequestDecision()::decide));
        Controller<ObjectKey> accessRequests = loops.controller("bucketaccessrequests", key -> {
                    // Whether a Secret is somebody else's is found out anew each time.
                    foreign.forget(key);
                    return accessRequestLoop.reconcile(key);
                })
                .watch(caches.accessRequests, Function.identity())
                .watchRelated(caches.requests, related::accessRequestsOf)
                .watchRelated(caches.buckets, related::accessRequestsOf)
                .watchRelated(caches.accesses, related::accessRequestsOf)
                .watchRelated(caches.accessClasses, related::accessRequestsOf)
                .watchRelated(caches.secrets, related::accessRequestsOf)
                .watchRelated(caches.namespaces, related::accessRequestsOf);
        Controller<ObjectKey> accesses = loops.controller(
                        "bucketaccesses", loops.reconciler(observer::access, new AccessDecision()::decide))
                .watch(caches.accesses, Function.identity())
                .watchRelated(caches.accessRequests, related::accessesOf)
                .watchRelated(caches.buckets, related::accessesOf)
                .watchRelated(caches.secrets, related::accessesOf);
        return List.of(requests, buckets, accessRequests, accesses);
    }

    private static Reconciler<ObjectKey> releasing(TakenNames names, Reconciler<ObjectKey> reconciler) {
        return key -> {
            try {
                return reconciler.reconcile(key);
            } finally {
                names.release(key.uid());
            }
        };
    }

    private <V> Reconciler<ObjectKey> reconciler(
            Function<ObjectKey, V> observer, Function<V, Decision<Step>> decision) {
        return new LoopReconciler<>(new Loop<>(observer, decision, acts), parts.leadership());
    }

    private Controller<ObjectKey> controller(String name, Reconciler<ObjectKey> reconciler) {
        WorkQueue<ObjectKey> queue =
                new WorkQueue<>(name, parts.time(), Backoff.standard(), new SecureRandom(), parts.meters());
        return new Controller<>(name, reconciler, queue, parts.leadership(), workers, parts.meters());
    }
}
