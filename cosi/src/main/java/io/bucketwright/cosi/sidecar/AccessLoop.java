package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.Outcome;
import java.util.Map;
import java.util.Optional;

/** Observe, decide and act, for BucketAccesses. */
record AccessLoop(
        SidecarCaches caches,
        ProvisionerSecrets secrets,
        DriverLink link,
        Memory memory,
        TimeSource time,
        AccessDecision decision,
        AccessActs acts,
        SecretActs secretActs)
        implements DecisionLoop<ObjectKey, AccessObserved, AccessStep> {

    @Override
    public AccessObserved observe(ObjectKey key) {
        Optional<BucketAccess> access = caches.access(key);
        Optional<Bucket> bucket = access.flatMap(
                it -> caches.bucket(it.getSpec().bucketName(), it.getSpec().bucketUid()));
        SecretView secret = bucket.map(secrets::of).orElseGet(() -> new SecretView.Usable("", Map.of()));
        return new AccessObserved(
                key,
                access,
                bucket,
                access.flatMap(caches::secretOf),
                new Surroundings(link.state(), link.connection(), secret),
                memory.of(key),
                time.now());
    }

    @Override
    public Decision<AccessStep> decide(AccessObserved observed) {
        return decision.decide(observed);
    }

    @Override
    public Outcome act(AccessStep step) {
        return switch (step) {
            case AccessStep.Hold hold -> acts.hold(hold);
            case AccessStep.Grant grant -> acts.grant(grant);
            case AccessStep.Look look -> secretActs.look(look);
            case AccessStep.PutSecret put -> secretActs.put(put);
            case AccessStep.Save save -> secretActs.save(save);
            case AccessStep.Revoke revoke -> acts.revoke(revoke);
            case AccessStep.Abandon abandon -> acts.abandon(abandon);
            case AccessStep.DeleteSecret delete -> secretActs.delete(delete);
            case AccessStep.LetGoOfSecret letGo -> secretActs.letGo(letGo);
            case AccessStep.LetGo letGo -> acts.letGo(letGo);
            case AccessStep.Say say -> acts.say(say);
        };
    }
}
