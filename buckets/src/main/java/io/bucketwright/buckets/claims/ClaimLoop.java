package io.bucketwright.buckets.claims;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.Outcome;

/** The claim controller: observes, decides, acts. */
record ClaimLoop(
        ClaimObserver observer, ClaimDecision decision, ApiServerActs cluster, ChildActs children, StoreActs store)
        implements DecisionLoop<ObjectKey, ClaimObservation, ClaimStep> {

    @Override
    public ClaimObservation observe(ObjectKey key) {
        return observer.observe(key);
    }

    @Override
    public Decision<ClaimStep> decide(ClaimObservation observed) {
        return decision.decide(observed);
    }

    @Override
    public Outcome act(ClaimStep step) {
        return switch (step) {
            case ClaimStep.CheckStore check -> store.check(check);
            case ClaimStep.Provision provision -> store.provision(provision);
            case ClaimStep.ApplyOptions apply -> store.apply(apply);
            case ClaimStep.DeletePreviousKey delete -> store.deletePreviousKey(delete);
            case ClaimStep.Release release -> store.release(release);
            case ClaimStep.ReadSecret read -> children.read(read);
            case ClaimStep.WriteSecret write -> children.write(write);
            case ClaimStep.ReplaceSecret replace -> children.replace(replace);
            case ClaimStep.WriteConfigMap write -> children.write(write);
            case ClaimStep.RecordIntent intent -> cluster.record(intent);
            case ClaimStep.Patch patch -> cluster.patch(patch);
            case ClaimStep.UpdateRecord update -> cluster.update(update);
            case ClaimStep.SetBucketPhase phase -> cluster.setPhase(phase);
            case ClaimStep.SetClaimStatus status -> cluster.setStatus(status);
            case ClaimStep.SendEvent event -> cluster.send(event);
            case ClaimStep.Abandon abandon -> cluster.abandon(abandon);
            case ClaimStep.RemoveFinalizer remove -> cluster.removeFinalizer(remove);
            case ClaimStep.Delete delete -> cluster.delete(delete);
        };
    }
}
