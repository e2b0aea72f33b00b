package io.bucketwright.buckets.claims;

import io.bucketwright.buckets.claims.ClaimStep.Attempt;
import io.bucketwright.buckets.claims.ClaimStep.Operation;
import io.bucketwright.buckets.objects.ChildObject;
import io.bucketwright.buckets.objects.ClaimMetadata;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Decides about the Secret or the ConfigMap of a claim. */
record ChildDecision<T extends HasMetadata>(ClaimObservation observed, String kind, ChildObject<T> child) {

    /**
     * The step towards a child with that content; empty if it has it.
     *
     * @param content a digest of each value
     * @param formerKeys keys that the controller wrote before; those that the content lacks must be removed
     */
    Optional<Decision<ClaimStep>> write(
            Map<String, String> content,
            Set<String> formerKeys,
            Operation operation,
            Function<Attempt, ClaimStep> write) {
        return switch (child) {
            case ChildObject.NotOwned<T> _ -> Optional.of(observed.report(ClaimDecision.notOwned(kind, observed)));
            case ChildObject.Owned<T> owned when owned.isBeingDeleted() -> Optional.of(letDelete(owned.bare()));
            case ChildObject.Owned<T> owned when owned.contains(content, formerKeys) -> Optional.empty();
            case ChildObject<T> _ -> Optional.of(observed.unlessBlocked(operation, write));
        };
    }

    /** Removes the finalizer of a child. If others have finalizers too, the watch reports when these are removed. */
    private Decision<ClaimStep> letDelete(HasMetadata bare) {
        return ClaimMetadata.hasFinalizer(bare)
                ? Decision.act(ClaimStep.removeFinalizer(bare))
                : Decision.finish(
                        Result.requiresChange(
                                kind + " " + observed.key().namespace() + "/"
                                        + bare.getMetadata().getName()
                                        + " is being deleted and waits for finalizers of others; it is created again after that"));
    }
}
