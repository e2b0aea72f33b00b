package io.bucketwright.buckets.claims;

import io.bucketwright.buckets.requests.ProvisionerSettings;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.engine.ControllerContext;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Wires the claim controller. */
public final class ClaimController {

    private ClaimController() {}

    public static void register(
            ControllerContext context, ProvisionerSettings settings, StoreSource stores, ClaimLimits limits) {
        InFlightState<ObjectKey, ClaimState> states = context.inFlight(ClaimState.NONE);
        ClaimCaches caches = new ClaimCaches(context.caches(), settings);
        ClassLookup classes =
                new ClassLookup(caches.classes, settings.provisioner(), stores, new ConcurrentHashMap<>());
        ActiveCalls active = new ActiveCalls();
        caches.claims.listen(active);
        caches.classes.listen(classes);
        ClaimLoop loop = new ClaimLoop(
                caches,
                classes,
                states,
                context.time(),
                new ClaimDecision(settings),
                new ApiServerActs(context.writer(), context.events(), states, context.time()),
                new ChildActs(settings, caches, context.writer(), context.reader(), states),
                new StoreActs(settings, stores, states, active, limits, new ConcurrentHashMap<>()));
        context.controller("claims", loop)
                .workers(limits.workers())
                .inFlight(states)
                .watch(caches.claims, Function.identity())
                .watchRelated(caches.buckets, caches::claimsOf)
                .watchRelated(caches.secrets, caches::claimsOfChild)
                .watchRelated(caches.configMaps, caches::claimsOfChild)
                .watchRelated(caches.classes, caches::claimsOf);
    }
}
