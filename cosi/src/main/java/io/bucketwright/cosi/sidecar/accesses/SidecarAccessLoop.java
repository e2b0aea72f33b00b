package io.bucketwright.cosi.sidecar.accesses;

import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;

import io.bucketwright.cosi.sidecar.driver.SidecarCaches;

import io.bucketwright.cosi.sidecar.driver.ProvisionerSecret;


import io.bucketwright.cosi.sidecar.driver.ProvisionerSecrets;

import io.bucketwright.cosi.sidecar.driver.Memory;

import io.bucketwright.cosi.sidecar.driver.DriverConnection;





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
public record SidecarAccessLoop(
        SidecarCaches caches,
        ProvisionerSecrets secrets,
        DriverConnection link,
        Memory memory,
        TimeSource time,
        SidecarAccessDecision decision,
        SidecarAccessActs acts,
        AccessSecretActs secretActs)
        implements DecisionLoop<ObjectKey, ObservedAccess, SidecarAccessStep> {

    @Override
    public ObservedAccess observe(ObjectKey key) {
        Optional<BucketAccess> access = caches.access(key);
        Optional<Bucket> bucket = access.flatMap(
                it -> caches.bucket(it.getSpec().bucketName(), it.getSpec().bucketUid()));
        ProvisionerSecret secret = bucket.map(secrets::of).orElseGet(() -> new ProvisionerSecret.Usable("", Map.of()));
        return new ObservedAccess(
                key,
                access,
                bucket,
                access.flatMap(caches::secretOf),
                new DriverPreconditions(link.state(), link.connection(), secret),
                memory.of(key),
                time.now());
    }

    @Override
    public Decision<SidecarAccessStep> decide(ObservedAccess observed) {
        return decision.decide(observed);
    }

    @Override
    public Outcome act(SidecarAccessStep step) {
        return switch (step) {
            case SidecarAccessStep.Hold hold -> acts.hold(hold);
            case SidecarAccessStep.Grant grant -> acts.grant(grant);
            case SidecarAccessStep.Look look -> secretActs.look(look);
            case SidecarAccessStep.PutSecret put -> secretActs.put(put);
            case SidecarAccessStep.Save save -> secretActs.save(save);
            case SidecarAccessStep.Revoke revoke -> acts.revoke(revoke);
            case SidecarAccessStep.Abandon abandon -> acts.abandon(abandon);
            case SidecarAccessStep.DeleteSecret delete -> secretActs.delete(delete);
            case SidecarAccessStep.LetGoOfSecret letGo -> secretActs.letGo(letGo);
            case SidecarAccessStep.LetGo letGo -> acts.letGo(letGo);
            case SidecarAccessStep.Say say -> acts.say(say);
        };
    }
}
