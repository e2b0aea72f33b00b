package io.bucketwright.buckets.claims;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.Outcome;

/** The three parts put together. */
record ClaimLoop(
        ClaimObserver observer, ClaimDecision decision, ClusterActs cluster, ChildActs children, StoreActs store)
        implements DecisionLoop<ObjectKey, Observed, Step> {

    @Override
    public Observed observe(ObjectKey key) {
        return observer.observe(key);
    }

    @Override
    public Decision<Step> decide(Observed observed) {
        return decision.decide(observed);
    }

    @Override
    public Outcome act(Step step) {
        return switch (step) {
            case Step.CheckStore check -> store.check(check);
            case Step.RecordIntent intent -> cluster.record(intent);
            case Step.Merge merge -> cluster.merge(merge.object(), merge.fields());
            case Step.Ask ask -> store.ask(ask);
            case Step.LookForSecret look -> children.look(look);
            case Step.PutSecret put -> children.put(put);
            case Step.SaveSecret save -> children.save(save);
            case Step.PutConfigMap put -> children.put(put);
            case Step.Complete complete -> cluster.complete(complete);
            case Step.ApplyOptions apply -> store.apply(apply);
            case Step.Retire retire -> store.retire(retire);
            case Step.SetBucketPhase phase -> cluster.setPhase(phase);
            case Step.SetClaimStatus status -> cluster.setStatus(status);
            case Step.Tell tell -> cluster.tell(tell);
            case Step.Release release -> store.release(release);
            case Step.LetGo letGo -> cluster.letGo(letGo.object());
            case Step.Delete delete -> cluster.delete(delete.object());
        };
    }
}
