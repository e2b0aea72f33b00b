package io.bucketwright.volumes.directories.provisioning;

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
import io.bucketwright.volumes.directories.classes.DirectoryClasses;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.metrics.DirectoryMetrics;
import io.bucketwright.volumes.directories.objects.DirectoryCaches;
import io.bucketwright.volumes.directories.roots.Roots;
import java.util.function.Function;
import java.util.function.Supplier;

/** The controller of PersistentVolumeClaims. */
public final class DirectoryClaimController
        implements DecisionLoop<ObjectKey, DirectoryClaimObservation, DirectoryClaimStep> {

    private final DirectoryClaimObserver observer;
    private final DirectoryClaimDecision decision;
    private final DirectoryClaimActs acts;

    private DirectoryClaimController(
            DirectoryClaimObserver observer, DirectoryClaimDecision decision, DirectoryClaimActs acts) {
        this.observer = observer;
        this.decision = decision;
        this.acts = acts;
    }

    /**
     * Creates the controller; call this before the caches start.
     *
     * @param hostname the node's label {@code kubernetes.io/hostname}, for local volumes
     */
    public static Controller<ObjectKey> of(
            ControllerContext context,
            DirectorySettings settings,
            DirectoryCaches caches,
            Roots roots,
            DirectoryMetrics metrics,
            Supplier<String> hostname,
            WorkQueue<ObjectKey> queue,
            int workers) {
        DirectoryClaimActs acts = new DirectoryClaimActs(context, roots, metrics, hostname, queue::add);
        DirectoryClaimObserver observer = new DirectoryClaimObserver(
                caches, new DirectoryClasses(caches.classes, settings), roots, acts::state);
        Reconciler<ObjectKey> reconciler = new LoopReconciler<>(
                new DirectoryClaimController(observer, new DirectoryClaimDecision(settings), acts),
                context.leadership());
        return new Controller<>(
                        "directory-claims",
                        key -> {
                            Result result = reconciler.reconcile(key);
                            if (result instanceof Result.Done
                                    && observer.claim(key).isEmpty()) {
                                acts.forget(key);
                            }
                            return result;
                        },
                        queue,
                        context.leadership(),
                        workers,
                        context.meters())
                .watch(caches.claims, Function.identity())
                .watchRelated(caches.volumes, caches::claimsOf)
                .watchRelated(caches.classes, caches::claimsOf);
    }

    @Override
    public DirectoryClaimObservation observe(ObjectKey key) {
        return observer.observe(key);
    }

    @Override
    public Decision<DirectoryClaimStep> decide(DirectoryClaimObservation observed) {
        return decision.decide(observed);
    }

    @Override
    public Outcome act(DirectoryClaimStep step) throws InterruptedException {
        return acts.act(step);
    }
}
