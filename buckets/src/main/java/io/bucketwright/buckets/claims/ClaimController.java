package io.bucketwright.buckets.claims;

import io.bucketwright.buckets.requests.ProvisionerSettings;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.LoopReconciler;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import java.security.SecureRandom;
import java.util.function.Function;

/** Wires the claim controller. */
public final class ClaimController {

    private ClaimController() {}

    /** Call it before the caches start. */
    public static Controller<ObjectKey> of(
            ControllerContext context, ProvisionerSettings settings, StoreSource stores, ClaimLimits limits) {
        Backoff backoff = Backoff.standard();
        SecureRandom random = new SecureRandom();
        ClaimStates states = new ClaimStates(context.time(), backoff, random);
        ActiveCalls active = new ActiveCalls();
        ClaimCaches caches = new ClaimCaches(context.caches(), settings);
        ClassLookup classes = new ClassLookup(caches.classes, settings.provisioner(), stores);
        caches.claims.listen(active);
        caches.classes.listen(classes);
        ApiWriter writer = context.connection().writer(context.leadership(), context.caches());
        ClaimLoop loop = new ClaimLoop(
                new ClaimObserver(caches, classes, states, context.time()),
                new ClaimDecision(settings),
                new ApiServerActs(writer, context.events(), states, context.time()),
                new ChildActs(settings, caches, writer, context.connection().reader(), states),
                new StoreActs(settings, stores, states, active, limits));
        WorkQueue<ObjectKey> queue = new WorkQueue<>("claims", context.time(), backoff, random, context.meters());
        return new Controller<>(
                        "claims",
                        forgetting(new LoopReconciler<>(loop, context.leadership()), states),
                        queue,
                        context.leadership(),
                        limits.workers(),
                        context.meters())
                .watch(caches.claims, Function.identity())
                .watchRelated(caches.buckets, caches::claimsOf)
                .watchRelated(caches.secrets, caches::claimsOfChild)
                .watchRelated(caches.configMaps, caches::claimsOfChild)
                .watchRelated(caches.classes, caches::claimsOf);
    }

    /** A claim without work needs no in-flight state. */
    private static Reconciler<ObjectKey> forgetting(Reconciler<ObjectKey> reconciler, ClaimStates states) {
        return key -> {
            Result result = reconciler.reconcile(key);
            if (result instanceof Result.Done) {
                states.forget(key);
            }
            return result;
        };
    }
}
