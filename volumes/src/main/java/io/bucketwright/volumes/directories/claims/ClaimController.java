package io.bucketwright.volumes.directories.claims;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.LoopReconciler;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.queue.WorkQueue;
import io.bucketwright.volumes.directories.roots.Roots;
import io.bucketwright.volumes.directories.setup.ClassLookup;
import io.bucketwright.volumes.directories.setup.DirectoryMetrics;
import io.bucketwright.volumes.directories.setup.Settings;
import java.util.function.Function;
import java.util.function.Supplier;

/** Puts the controller of claims together. */
public final class ClaimController {

    private ClaimController() {}

    /**
     * The controller, ready to be given to an engine; call it before the caches start.
     *
     * @param hostname by which the node of local volumes is found
     */
    public static Controller<ObjectKey> of(
            ControllerContext parts,
            Settings settings,
            ClaimCaches caches,
            ClassLookup classes,
            Roots roots,
            DirectoryMetrics metrics,
            Supplier<String> hostname,
            WorkQueue<ObjectKey> queue,
            int workers) {
        Memory memory = new Memory();
        ClaimObserver observer = new ClaimObserver(caches, classes, roots, memory, parts.time());
        ClaimDecision decision = new ClaimDecision(settings);
        ClaimActs acts = new ClaimActs(parts, roots, memory, metrics, hostname, queue::add);
        DecisionLoop<ObjectKey, Observed, Step> loop = new DecisionLoop<>() {
            @Override
            public Observed observe(ObjectKey key) {
                return observer.observe(key);
            }

            @Override
            public Decision<Step> decide(Observed observed) {
                return decision.decide(observed);
            }

            @Override
            public Outcome act(Step step) throws InterruptedException {
                return acts.act(step);
            }
        };
        Reconciler<ObjectKey> reconciler = new LoopReconciler<>(loop, parts.leadership());
        return new Controller<>(
                        "directory-claims",
                        key -> {
                            Result result = reconciler.reconcile(key);
                            if (result instanceof Result.Done
                                    && observer.observe(key).claim().isEmpty()) {
                                memory.forget(key);
                            }
                            return result;
                        },
                        queue,
                        parts.leadership(),
                        workers,
                        parts.meters())
                .watch(caches.claims, Function.identity())
                .watchRelated(caches.volumes, caches::keysOf)
                .watchRelated(caches.classes, caches::keysOf);
    }
}
