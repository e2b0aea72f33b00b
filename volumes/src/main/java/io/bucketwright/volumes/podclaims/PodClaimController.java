package io.bucketwright.volumes.podclaims;

import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.LoopReconciler;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import java.security.SecureRandom;

/** Puts the controller together from the parts of a process. */
public final class PodClaimController {

    /** Whom events name as their source, as ever. */
    public static final String REPORTER = "dynamic-pvc-provisioner";

    private static final String NAME = "pod-claims";

    private PodClaimController() {}

    /** The controller, ready to be given to an engine; call it before the caches start. */
    public static Controller<?> of(ControllerContext parts, Settings settings) {
        ClaimCaches caches = new ClaimCaches(parts.caches(), settings.namespace());
        Recollections memory = new Recollections();
        Backoff backoff = Backoff.standard();
        SecureRandom random = new SecureRandom();
        ApiWriter writer = parts.connection().writer(parts.leadership(), parts.caches());
        ClaimLoop loop = new ClaimLoop(
                caches,
                memory,
                parts.time(),
                new ClaimDecision(settings),
                new ClaimActs(writer, parts.events(), memory, parts.time(), backoff, random));
        WorkQueue<VolumeKey> queue = new WorkQueue<>(NAME, parts.time(), backoff, random, parts.meters());
        return new Controller<>(
                        NAME,
                        forgetful(new LoopReconciler<>(loop, parts.leadership()), caches, memory),
                        queue,
                        parts.leadership(),
                        settings.workers(),
                        parts.meters())
                .watchRelated(caches.pods, caches::keysOf)
                .watchRelated(caches.claims, caches::keysOf);
    }

    /** A pod that does not wait any more needs no memory. */
    private static Reconciler<VolumeKey> forgetful(
            Reconciler<VolumeKey> reconciler, ClaimCaches caches, Recollections memory) {
        return key -> {
            Result result = reconciler.reconcile(key);
            if (caches.pod(key.pod()).isEmpty()) {
                memory.forget(key);
            }
            return result;
        };
    }
}
