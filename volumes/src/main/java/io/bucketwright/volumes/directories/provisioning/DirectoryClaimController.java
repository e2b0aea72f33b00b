package io.bucketwright.volumes.directories.provisioning;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.volumes.directories.classes.DirectoryClasses;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.metrics.DirectoryMetrics;
import io.bucketwright.volumes.directories.objects.DirectoryCaches;
import io.bucketwright.volumes.directories.roots.RequeueTarget;
import io.bucketwright.volumes.directories.roots.Roots;
import java.util.function.Function;
import java.util.function.Supplier;

/** The controller of PersistentVolumeClaims. */
public final class DirectoryClaimController
        implements DecisionLoop<ObjectKey, DirectoryClaimObservation, DirectoryClaimStep> {

    private final DirectoryClaimObserver observer;
    private final DirectoryClaimDecision decision;
    private final DirectoryClaimActs acts;
    private final InFlightState<ObjectKey, DirectoryClaimState> states;

    private DirectoryClaimController(
            DirectoryClaimObserver observer,
            DirectoryClaimDecision decision,
            DirectoryClaimActs acts,
            InFlightState<ObjectKey, DirectoryClaimState> states) {
        this.observer = observer;
        this.decision = decision;
        this.acts = acts;
        this.states = states;
    }

    /**
     * Registers the controller; call this before the caches start.
     *
     * @param hostname the node's label {@code kubernetes.io/hostname}, for local volumes
     */
    public static Controller<ObjectKey> register(
            ControllerContext context,
            DirectorySettings settings,
            DirectoryCaches caches,
            Roots roots,
            DirectoryMetrics metrics,
            Supplier<String> hostname) {
        InFlightState<ObjectKey, DirectoryClaimState> states = context.inFlight(DirectoryClaimState.INITIAL);
        RequeueTarget<ObjectKey> requeue = new RequeueTarget<>();
        DirectoryClaimController loop = new DirectoryClaimController(
                new DirectoryClaimObserver(
                        caches, new DirectoryClasses(caches.classes, settings), roots, states::get),
                new DirectoryClaimDecision(settings),
                new DirectoryClaimActs(context, roots, metrics, hostname, states, requeue),
                states);
        return requeue.connect(context.controller("directory-claims", loop))
                .watch(caches.claims, Function.identity())
                .watchRelated(caches.volumes, caches::claimsOf)
                .watchRelated(caches.classes, caches::claimsOf);
    }

    @Override
    public DirectoryClaimObservation observe(ObjectKey key) {
        return observer.observe(key);
    }

    /** The result {@code Done} of a step only means to wait for the disk; only this decision ends the work on a key. */
    @Override
    public Decision<DirectoryClaimStep> decide(DirectoryClaimObservation observed) {
        Decision<DirectoryClaimStep> next = decision.decide(observed);
        if (next.equals(Decision.done())) {
            states.forget(observed.key());
        }
        return next;
    }

    @Override
    public Outcome act(DirectoryClaimStep step) throws InterruptedException {
        return acts.act(step);
    }
}
